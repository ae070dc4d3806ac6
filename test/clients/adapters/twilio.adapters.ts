// The adapter for Twilio ConversationRelay, with Twilio's own library for signature and TwiML, and Twilio's side of the
// protocol as it is documented: the service itself is nobody's to run offline.
import twilio from "twilio";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { conversationRelayTwiml, isSignedByTwilio } from "../../../clients/adapters/twilio.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { call, dial, type Line, startProgram } from "./relay.ts";
import { SECRETS, VOICE } from "./wordings.ts";
import { World } from "./world.ts";

let world: World;
let program: Awaited<ReturnType<typeof startProgram>>;
/** The receipts by Twilio's names of the calls. */
const callLog = new Map<string | null | undefined, string>();
beforeAll(async () => {
  world = await World.start();
  program = await startProgram((callSid) =>
    world.converse(callSid, {
      onReceipt: ({ eventId }) => void callLog.set(program.calls.get(callSid)?.callSid, eventId),
    }),
  );
});
afterAll(() => program.close());

/** A call whose greeting was heard, or was not. */
async function begin(id: string, line: Partial<Line> = {}) {
  const twilio = await call(dial(program.port, id), { cuts: 0, tells: "tokens", ...line }, id);
  const adapter = await vi.waitFor(() => program.calls.get(id) ?? Promise.reject(id), PATIENCE_MS);
  return { twilio, adapter };
}

const INTRODUCED = { turn: 1, method: "spoken_introduction", verdict: "ALLOW", agent: "agents/reception" };

describe("a call", () => {
  test.each(["tokens", "speaking"] as const)(
    "whose greeting is heard to its end has one receipt, and the call log its id, where Twilio tells of its %s",
    async (tells) => {
      const id = `CA-whole-${tells}`;
      const { adapter } = await begin(id, { tells });
      expect(await adapter.introduced).toBe(true);
      const receipts = await world.receipts(id);
      expect([receipts, world.missed]).toMatchObject([[INTRODUCED], []]);
      expect(callLog.get(id)).toBe(receipts[0]?.eventId);
    },
  );

  test("whose greeting is cut off has none, is missed and said again, and that has one", async () => {
    const { adapter } = await begin("CA-cut", { cuts: 1 });
    expect(await adapter.introduced).toBe(true);
    expect(world.missed).toMatchObject([{ reason: "interrupted", willRepeat: true }]);
    expect(await world.receipts("CA-cut")).toMatchObject([INTRODUCED]);
  });

  test("whose greeting is cut off twice has none", async () => {
    const { adapter } = await begin("CA-twice", { cuts: 2 });
    expect(await adapter.introduced).toBe(false);
    expect(world.missed.map(({ willRepeat }) => willRepeat)).toEqual([true, false]);
    expect(await world.receipts("CA-twice")).toEqual([]);
  });

  test("that is handed over and reminded has turns 2 and 3, whatever is said between", async () => {
    const { twilio, adapter } = await begin("CA-handoff");
    await adapter.introduced;
    twilio.say("Frau Geheim, einen Augenblick bitte.");
    expect(await Promise.all([adapter.handedOff("Billing desk"), adapter.remind()])).toEqual([true, true]);
    expect(
      (await world.receipts("CA-handoff")).map(({ turn, method, agent }) => [turn, method, agent]),
    ).toEqual([
      [1, "spoken_introduction", "agents/reception"],
      [2, "spoken_handoff", "Billing-desk"],
      [3, "spoken_reminder", "Billing-desk"],
    ]);
  });

  test("that is hung up while the greeting is said has none", async () => {
    const { twilio, adapter } = await begin("CA-ended", { tells: "nothing" });
    twilio.hangUp();
    expect(await adapter.introduced).toBe(false);
    expect(world.missed).toMatchObject([{ reason: "ended", willRepeat: false }]);
    expect(await world.receipts("CA-ended")).toEqual([]);
  });

  test("that Twilio did not sign is refused", async () => {
    const forged = dial(program.port, "CA-forged", "f".repeat(32));
    await expect(call(forged, { cuts: 0, tells: "tokens" })).rejects.toThrow("403");
    expect(program.calls.has("CA-forged")).toBe(false);
  });
});

describe("the signature", () => {
  const url = "https://example.org/voice?a=1&b=%27";
  const parameters = { To: "+49301", CallSid: "CA1", Digits: ["2", "1", "1"] };

  test("is Twilio's own", () => {
    const signature = twilio.getExpectedTwilioSignature("token", url, parameters);
    expect(isSignedByTwilio({ authToken: "token", signature, url, parameters })).toBe(true);
    expect(twilio.validateRequest("token", signature, url, parameters)).toBe(true);
  });

  test.each([
    ["https://a.example/x?y=1", "https://a.example:443/x?y=1"],
    ["https://a.example:443/x", "https://a.example/x"],
    ["https://a.example/x", "https://a.example:8443/x"],
    ["https://a.example:8443", "https://a.example:8443"],
    ["https://n:p@a.example/?x:1", "https://n:p@a.example:8443/?x:1"],
    ["http://a.example:80/x", "http://a.example/x"],
    ["wss://a.example/x", "wss://a.example:8443/x"],
    ["https://a.example:8443/x", "https://a.example/x"],
    ["https://a.example/x", "https://b.example/x"],
    ["https://[::1]:8443/x", "https://[::1]:8443/x"],
    ["/x", "/x"],
  ])("of %s is taken for %s where Twilio's library takes it", (signed, given) => {
    const signature = twilio.getExpectedTwilioSignature("token", signed, {});
    const ours = isSignedByTwilio({ authToken: "token", signature, url: given });
    // Twilio's library can't read what is no address.
    expect(ours).toBe(given === "/x" || twilio.validateRequest("token", signature, given, {}));
  });

  test.each([
    ["another token", { authToken: "other" }],
    ["another address", { url: `${url}1` }],
    ["another parameter", { parameters: { ...parameters, To: "+49302" } }],
    ["no signature", { signature: undefined }],
    ["an empty signature", { signature: "" }],
    ["two signatures", { signature: ["a", "b"] }],
  ])("is refused with %s", (_, change) => {
    const signature = twilio.getExpectedTwilioSignature("token", url, parameters);
    expect(isSignedByTwilio({ authToken: "token", signature, url, parameters, ...change })).toBe(false);
  });
});

test("the TwiML is what Twilio's own library makes of it", () => {
  const url = "wss://example.org/relay?a=1&b='2'";
  const attributes = { language: "de-DE", voice: 'a<b>"c"', partialPrompts: true };
  const theirs = new twilio.twiml.VoiceResponse();
  theirs.connect({ action: "https://example.org/ended?x=1&y=2" }).conversationRelay({
    url,
    ...attributes,
    welcomeGreeting:
      "Guten Tag. Sie sprechen mit einer künstlichen Intelligenz, nicht mit einem Menschen. Ich nehme Ihren Anruf für A & B entgegen.",
    welcomeGreetingInterruptible: "none",
    events: "speaker-events tokens-played",
  });
  const action = "https://example.org/ended?x=1&y=2";
  const ours = conversationRelayTwiml({ url, wordings: VOICE, operator: "A & B", attributes, action });
  expect(ours).toBe(theirs.toString());
});

test("no word, name or number of the caller is with the service, in its output, or in the queue's folder", () => {
  expect(world.leaks(["agents/reception"])).toEqual(["agents/reception"]);
  expect(world.leaks(["4930123456789", ...SECRETS])).toEqual([]);
});
