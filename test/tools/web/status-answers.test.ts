import { describe, expect, test } from "vitest";
import { INTERFACE_STATUS } from "../../../contract/interface-status.ts";
import { utf8 } from "../../../evidence/core/bytes.ts";
import { DisclosureError } from "../../../evidence/core/errors.ts";
import { ageOf } from "../../../tools/web/status/age.ts";
import { type Answers, type Read, readAnswers } from "../../../tools/web/status/answers.ts";
import { statusDe } from "../../../tools/web/status/text-de.ts";
import { ANSWERS, bodyOf, NEWEST_SEAL, WITNESSES } from "./status-world.ts";

const NOW = new Date("2026-11-22T12:00:00Z");

/** Answers all paths, but for those in `changed`; null stands for a 404. */
const readWith =
  (changed: Readonly<Record<string, unknown>> = {}): Read =>
  async (path) => {
    const answer = path in changed ? changed[path] : ANSWERS[path];
    if (answer instanceof Error) throw answer;
    return answer === null || answer === undefined ? null : utf8(bodyOf(answer));
  };

const kindsOf = ({ status, head, checkpoint, policy }: Answers): readonly string[] =>
  [status, head, checkpoint, policy].map(({ kind }) => kind);

describe("the answers of a service", () => {
  test("are read from four paths of its own host, and nothing else is asked", async () => {
    const asked: string[] = [];
    await readAnswers(
      (path) => {
        asked.push(path);
        return readWith()(path);
      },
      () => NOW,
    );
    expect(asked.toSorted()).toEqual(Object.keys(ANSWERS).toSorted());
  });

  test("name the newest seal, and the witnesses beside the log's own signature", async () => {
    const { head, checkpoint, readAt } = await readAnswers(readWith(), () => NOW);
    expect(head).toMatchObject({ value: { size: 4, latest: NEWEST_SEAL } });
    expect(checkpoint).toMatchObject({ value: { size: NEWEST_SEAL.tree_size, cosigners: WITNESSES } });
    expect(readAt).toBe(NOW);
  });

  test.each(Object.keys(ANSWERS))(
    "of which %s is missing, fails or is damaged, leave the others",
    async (path) => {
      const unavailable = new DisclosureError("publication_unavailable", "the host answered 503");
      const at = Object.keys(ANSWERS).indexOf(path);
      for (const [answer, kind] of [
        [null, "absent"],
        [unavailable, "failed"],
        ['{"size": 1}', "failed"],
        ["\u0000", "failed"],
      ] as const) {
        const kinds = kindsOf(await readAnswers(readWith({ [path]: answer }), () => NOW));
        expect(kinds).toEqual(["read", "read", "read", "read"].with(at, kind));
      }
    },
  );

  test("may hold statuses that this page does not know, and members", async () => {
    const body = structuredClone(ANSWERS["/v1/status"]) as { capabilities: { status: string }[] };
    for (const capability of body.capabilities) capability.status = "in_a_new_state";
    const { status } = await readAnswers(readWith({ "/v1/status": { ...body, more: 1 } }), () => NOW);
    expect(status).toMatchObject({ kind: "read", value: { capabilities: body.capabilities } });
  });
});

describe("the age of a root", () => {
  test.each([
    ["2026-11-22T12:00:00Z", "0 seconds ago", "vor 0 Sekunden"],
    ["2026-11-22T11:59:59.5Z", "0 seconds ago", "vor 0 Sekunden"],
    ["2026-11-22T11:59:01Z", "59 seconds ago", "vor 59 Sekunden"],
    ["2026-11-22T11:59:00Z", "1 minute ago", "vor 1 Minute"],
    ["2026-11-22T10:00:01Z", "1 hour ago", "vor 1 Stunde"],
    ["2026-11-20T12:00:00Z", "2 days ago", "vor 2 Tagen"],
  ])("%s is %s", (instant, english, german) => {
    expect(ageOf("en-GB", instant, NOW)).toBe(english);
    expect(ageOf("de-DE", instant, NOW)).toBe(german);
  });

  test.each(["2026-11-22T12:00:01Z", "never"])("of %s is not told", (instant) => {
    expect(ageOf("en-GB", instant, NOW)).toBeNull();
  });
});

test("every sentence of the status in this repository is there in German", () => {
  const { availability, capabilities } = INTERFACE_STATUS;
  const sentences = [
    ...availability.flatMap(({ statement, note }) => [statement, note]),
    ...capabilities.flatMap(({ title, note }) => [title, note]),
  ].filter((sentence) => sentence !== undefined);
  expect(sentences.filter((sentence) => !Object.hasOwn(statusDe.translations, sentence))).toEqual([]);
  const words = [...availability, ...capabilities, ...INTERFACE_STATUS.endpoints].map(({ status }) => status);
  expect(words.filter((word) => !Object.hasOwn(statusDe.statuses, word))).toEqual([]);
});
