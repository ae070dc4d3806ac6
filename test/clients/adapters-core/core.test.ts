// What an adapter's core attests, misses and repeats.
import { describe, expect, test, vi } from "vitest";
import { disclosureOf, hashWordingText } from "../../../evidence/policy/package.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { converse, receiptOf, WORDINGS } from "./conversation.ts";

describe("a playback that ended", () => {
  test("is attested once, by the digest of the registered text, with the time at which it ended", () => {
    vi.useFakeTimers({ now: new Date("2026-11-23T09:00:00.250Z") });
    const { disclosure, added } = converse();
    const playback = disclosure.introduce();
    expect(playback.text).toContain("Ich nehme Ihren Anruf für das Haus Hafenstraße entgegen.");
    vi.advanceTimersByTime(4_000);
    playback.played();
    playback.played();
    expect(playback.missed("interrupted")).toBeNull();
    vi.useRealTimers();
    expect(added.map(({ request }) => request)).toEqual([
      {
        interaction_id: "call-1",
        agent_identity: "agents/reception",
        ...disclosureOf(WORDINGS.introduction),
        disclosed_at: "2026-11-23T09:00:04.250Z",
      },
    ]);
    expect(JSON.stringify(added)).not.toContain("Hafenstraße");
  });

  test("has a key of its own, and gives its event id to the adapter and to the owner", () => {
    const { disclosure, added, recorded } = converse();
    const ids: string[] = [];
    disclosure.introduce().played({ onReceipt: (eventId) => void ids.push(eventId) });
    disclosure.remind().played();
    for (const [i, { options }] of added.entries()) void options.onReceipt?.(receiptOf(`event-${i}`));
    expect(new Set(added.map(({ options }) => options.idempotencyKey)).size).toBe(2);
    expect(ids).toEqual(["event-0"]);
    expect(recorded.map(({ eventId, statement }) => [eventId, statement])).toEqual([
      ["event-0", "introduction"],
      ["event-1", "reminder"],
    ]);
  });

  test("may have ended earlier than it was noticed", () => {
    const { disclosure, added } = converse();
    disclosure.introduce().played({ at: new Date("2026-11-23T09:00:00Z") });
    expect(added[0]?.request.disclosed_at).toBe("2026-11-23T09:00:00.000Z");
  });
});

describe("a playback that was cut off", () => {
  test("is not attested, is told of, and is repeated once, uninterruptibly, in the words of the repetition", () => {
    const { disclosure, added, methods, missed } = converse({ interruptible: true });
    const first = disclosure.introduce();
    const second = first.missed("interrupted");
    expect([first.interruptible, second?.interruptible, added]).toEqual([true, false, []]);
    expect(second?.text).toMatch(/^Ich wiederhole meinen Hinweis/);
    second?.played();
    expect(methods()).toEqual(["spoken_introduction"]);
    expect(added[0]?.request.subject_hash).toBe(disclosureOf(WORDINGS.repeat).subject_hash);
    expect(missed.map(({ reason, willRepeat }) => [reason, willRepeat])).toEqual([["interrupted", true]]);
  });

  test("a second time is told of as never said, and not repeated", () => {
    const { disclosure, added, missed } = converse();
    expect(disclosure.introduce().missed("failed")?.missed("interrupted")).toBeNull();
    expect(missed.map(({ reason, willRepeat }) => [reason, willRepeat])).toEqual([
      ["failed", true],
      ["interrupted", false],
    ]);
    expect(added).toEqual([]);
  });

  test("by the end of the conversation is told of by close, once, and not repeated", async () => {
    const { disclosure, missed } = converse();
    disclosure.introduce().played();
    const begun = disclosure.remind();
    expect(await disclosure.close()).toBe(true);
    expect(begun.missed("interrupted")).toBeNull();
    expect(missed.map(({ statement, reason, willRepeat }) => [statement, reason, willRepeat])).toEqual([
      ["reminder", "ended", false],
    ]);
  });
});

describe("a hand-off", () => {
  test("is said and attested in the name of the agent that takes over, and so is all that follows", () => {
    const { disclosure, added, methods } = converse();
    disclosure.introduce().played();
    disclosure.handedOff("Billing agent").played();
    disclosure.remind().played();
    expect(methods()).toEqual(["spoken_introduction", "spoken_handoff", "spoken_reminder"]);
    expect(added.map(({ request }) => request.agent_identity)).toEqual([
      "agents/reception",
      "Billing-agent",
      "Billing-agent",
    ]);
  });

  test("to nobody that has a name keeps the one before", () => {
    const { disclosure, added, errors } = converse();
    disclosure.handedOff("").played();
    expect(added[0]?.request.agent_identity).toBe("agents/reception");
    expect(errors).toMatchObject([{ code: "invalid_options" }]);
  });
});

test("an owner whose callbacks fail disturbs nothing, and is told through onError", () => {
  const errors: unknown[] = [];
  const fail = (): never => {
    throw new Error("the callback failed");
  };
  const { disclosure, added } = converse({
    onMissed: fail,
    onReceipt: fail,
    onError: (error) => void errors.push(error),
  });
  disclosure.introduce().missed("failed")?.played();
  void added[0]?.options.onReceipt?.(receiptOf("event-0"));
  expect(errors).toHaveLength(2);
  expect(() =>
    converse({ onMissed: fail, onError: fail }).disclosure.introduce().missed("failed"),
  ).not.toThrow();
});

test("and so is one whose callbacks reject, which ends no process", async () => {
  const errors: unknown[] = [];
  const reject = (): Promise<void> => Promise.reject(new Error("the callback failed"));
  const { disclosure, added } = converse({
    onMissed: reject,
    onReceipt: reject,
    onError: (error) => {
      errors.push(error);
      return reject();
    },
  });
  disclosure.introduce().missed("failed")?.played({ onReceipt: reject });
  void added[0]?.options.onReceipt?.(receiptOf("event-0"));
  await vi.waitFor(() => expect(errors).toHaveLength(3), PATIENCE_MS);
});

describe("the wordings", () => {
  test("without a reminder or a hand-off are the introduction, attested as that", () => {
    const { disclosure, methods } = converse({ wordings: { introduction: "de-voice-introduction-4" } });
    disclosure.remind().played();
    disclosure.handedOff("agents/billing").played();
    expect(methods()).toEqual(["spoken_introduction", "spoken_introduction"]);
  });

  test("may be texts of one's own: the gap is filled in what is said, and unfilled in the digest", () => {
    const text = "Hier spricht der Computer von {operator}.";
    const own = { text, modality: "voice", method: "spoken_introduction", jurisdiction: "DE" } as const;
    const { disclosure, added } = converse({ wordings: { introduction: own } });
    const playback = disclosure.introduce();
    playback.played();
    expect(playback.text).toBe("Hier spricht der Computer von das Haus Hafenstraße.");
    expect(added[0]?.request.subject_hash).toBe(hashWordingText(text));
  });

  test.each([
    ["an id that no layer has", { wordings: { introduction: "de-nothing-1" } }, "there is no wording"],
    ["no operator where the text says who it is", { operator: undefined }, "operator: is missing"],
    ["none at all", { wordings: {} }, "name an introduction"],
    [
      "a text of one's own without a method",
      { wordings: { introduction: { text: "Hallo", modality: "voice", jurisdiction: "DE" } } },
      "wordings: introduction",
    ],
    ["an option that there is not", { onMised: () => {} }, "there is no such option"],
    ["no agent", { agentIdentity: "" }, "agentIdentity: is missing"],
  ])("%s is refused before the conversation", (_, wrong, message) => {
    expect(() => converse(wrong as never)).toThrow(message);
  });
});

test("an id with other characters than the service takes becomes a digest", () => {
  expect(converse({ interactionId: "Anruf für Büro 3" }).disclosure.interactionId).toMatch(
    /^sha256:[0-9a-f]{64}$/,
  );
});
