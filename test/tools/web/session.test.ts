import { describe, expect, test } from "vitest";
import { checkFiles, type Question } from "../../../tools/web/check-files.ts";
import { type Checked, overviewOf } from "../../../tools/web/checked.ts";
import { MAX_SESSION_BYTES, type Source } from "../../../tools/web/given-file.ts";
import { Session, type Shown } from "../../../tools/web/session.ts";
import { type Checker, checkWithout, type Stopped } from "../../../tools/web/worker.ts";
import { CHECKED_AT, check, entryNamed, sourceOf, vectorSource } from "./files.ts";

const surroundings = { metachain: null, fetchAnchors: async () => [], isSecure: true };
const checkHere = (question: Question) => checkFiles(question, surroundings, () => {});

function open(checker: Checker = checkHere, origin: string | null = null) {
  const shown: Shown[] = [];
  const session = new Session(checker, origin, (news) => void shown.push(news));
  return { session, last: () => shown.at(-1) ?? expect.unreachable() };
}

const namesIn = ({ checked }: Shown): unknown[] =>
  (checked?.entries ?? []).flatMap(({ files }) => files.map(({ name }) => name));

describe("a session", () => {
  test("adds files that come later to those that are there", async () => {
    const { session, last } = open();
    await session.add([vectorSource("receipts/greeting.json")]);
    await session.add([vectorSource("receipts/reminder.json"), vectorSource("authorities/service.pem")]);
    expect(namesIn(last())).toEqual(["greeting.json", "reminder.json", "service.pem"]);
  });

  test("shows every file though they came while others were still read and checked", async () => {
    const slow = (source: Source): Source => ({
      ...source,
      read: async () => {
        await new Promise((resolve) => setTimeout(resolve, 30));
        return source.read();
      },
    });
    const { session, last } = open();
    await Promise.all([
      session.add([slow(vectorSource("receipts/greeting.json"))]),
      session.add([vectorSource("receipts/reminder.json")]),
    ]);
    expect(namesIn(last()).toSorted()).toEqual(["greeting.json", "reminder.json"]);
    expect(last().isBusy).toBe(false);
  });

  test("has a file once, however often it is added", async () => {
    const { session, last } = open();
    await session.add([vectorSource("receipts/greeting.json")]);
    await session.add([vectorSource("receipts/greeting.json")]);
    expect(namesIn(last())).toEqual(["greeting.json"]);
    expect(last().news).toHaveLength(1);
  });

  test("is empty when the reader starts over, whatever was still being checked", async () => {
    const { session, last } = open();
    const adding = session.add([vectorSource("receipts/greeting.json")]);
    session.startOver();
    await adding;
    expect(last()).toEqual({ isBusy: false, checked: null, news: [] });
    await session.add([vectorSource("receipts/reminder.json")]);
    expect(namesIn(last())).toEqual(["reminder.json"]);
  });

  test("ends a check that nobody waits for any more, and shows nothing of it", async () => {
    const signals: AbortSignal[] = [];
    const endless = (_: Question, signal: AbortSignal) => {
      signals.push(signal);
      return new Promise<null>((resolve) => signal.addEventListener("abort", () => resolve(null)));
    };
    const { session, last } = open(endless);
    const adding = [session.add([vectorSource("receipts/greeting.json")])];
    await expect.poll(() => signals.length).toBe(1);
    adding.push(session.add([vectorSource("receipts/reminder.json")]));
    await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    session.startOver();
    await Promise.all(adding);
    expect([signals.every(({ aborted }) => aborted), last()]).toEqual([
      true,
      { isBusy: false, checked: null, news: [] },
    ]);
  });

  test("asks nobody about an example, which makes room for the reader's own files", async () => {
    const origins: unknown[] = [];
    const watching = (question: Question) => {
      origins.push(question.origin);
      return checkHere(question);
    };
    const { session, last } = open(watching, "https://receipts.example");
    await session.add([vectorSource("receipts/greeting.json")]);
    await session.openSample([vectorSource("receipts/reminder.json")]);
    expect([namesIn(last()), last().checked?.isSample]).toEqual([["reminder.json"], true]);
    await session.add([vectorSource("receipts/hand-off.json")]);
    expect([namesIn(last()), last().checked?.isSample]).toEqual([["hand-off.json"], false]);
    expect(origins).toEqual(["https://receipts.example", null, "https://receipts.example"]);
  });

  test("lists what the device does not give up, and what is too much, without hiding the rest", async () => {
    const lost = { name: "lost.json", size: 10, read: () => Promise.reject(new Error("gone")) };
    const large = { name: "large.json", size: 9 * 1024 * 1024, read: () => expect.unreachable() };
    const { session, last } = open();
    await session.add([lost, large, vectorSource("receipts/greeting.json")]);
    const checked = last().checked ?? expect.unreachable();
    expect(entryNamed(checked, "lost.json")).toMatchObject({ problem: { reason: "gone" } });
    expect(entryNamed(checked, "large.json")).toMatchObject({ problem: { reason: "too_large" } });
    expect(overviewOf(checked)).toMatchObject({ outcome: "unreadable", count: 2, all: 3 });
  });

  test("takes no more than a browser can keep", async () => {
    const MEGABYTES = 8 * 1024 * 1024;
    const blank = (i: number) =>
      sourceOf(`${i}.json`, `${" ".repeat(MEGABYTES - 2)}${String(i).padStart(2)}`);
    const { session, last } = open(async ({ files, ...question }) =>
      // Only the limit is of interest.
      check([], { stopped: question.stopped }).then((checked) => ({
        ...checked,
        entries: files.map(({ name, size, digest, content }) => ({
          kind: "unreadable" as const,
          files: [{ name, size, digest }],
          outcome: "unreadable" as const,
          problem: { reason: typeof content === "string" ? content : ("empty" as const), detail: "" },
          fork: null,
        })),
      })),
    );
    const count = MAX_SESSION_BYTES / MEGABYTES + 1;
    await session.add(Array.from({ length: count }, (_, i) => blank(i)));
    const reasons = last().checked?.entries.map(
      (entry) => entry.kind === "unreadable" && entry.problem.reason,
    );
    expect(reasons?.filter((reason) => reason === "too_many")).toHaveLength(1);
    expect(reasons?.at(-1)).toBe("too_many");
  });
});

describe("a worker that has to be stopped", () => {
  const question = async (...sources: readonly Source[]): Promise<Question> => {
    const files: Question["files"][number][] = [];
    const session = new Session(
      async (asked) => {
        files.push(...asked.files);
        return checkHere(asked);
      },
      null,
      () => {},
    );
    await session.add(sources);
    return {
      files,
      history: null,
      fingerprint: null,
      origin: null,
      isSample: false,
      checkedAt: CHECKED_AT,
      stopped: new Map(),
    };
  };

  test("goes on without the file that it hung on, which is listed with the reason", async () => {
    const asked = await question(
      vectorSource("receipts/greeting.json"),
      vectorSource("receipts/reminder.json"),
    );
    const [hanging] = asked.files.map(({ digest }) => digest);
    const run = async (attempt: Question): Promise<Checked | Stopped> =>
      attempt.stopped.has(hanging ?? "")
        ? checkHere(attempt)
        : { reason: "too_slow", begun: [hanging ?? ""] };
    const checked = (await checkWithout(new Map(), asked, run)) ?? expect.unreachable();
    expect(entryNamed(checked, "greeting.json")).toMatchObject({
      kind: "unreadable",
      problem: { reason: "too_slow" },
    });
    expect(entryNamed(checked, "reminder.json").kind).toBe("report");
  });

  test("that never comes to an end leaves no file looking good", async () => {
    const asked = await question(
      vectorSource("receipts/greeting.json"),
      vectorSource("receipts/reminder.json"),
    );
    const checked =
      (await checkWithout(new Map(), asked, async () => ({ reason: "failed", begun: [] }))) ??
      expect.unreachable();
    expect(overviewOf(checked)).toEqual({ outcome: "unreadable", count: 2, all: 2 });
  });
});
