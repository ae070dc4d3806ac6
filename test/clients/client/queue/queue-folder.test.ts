import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { formatLine } from "../../../../clients/client/queue/journal-lines.ts";
import { testFolder } from "../../../host/local/folder.ts";
import { disclosure } from "../../../support/api-client.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";
import { problem, respond, serve, type Trick } from "../service.ts";
import { codesOf, leaveBehind, open, start, unavailable } from "./queues.ts";

// The pauses between tries are by chance; here they have no length.
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

describe("a folder that can't be used", () => {
  test.each([
    ["is a file", (folder: string) => writeFileSync(folder, "")],
    [
      "has a folder where the journal goes",
      (folder: string) => mkdirSync(join(folder, "journal"), { recursive: true }),
    ],
  ])("because it %s: disclosures are sent from memory, and the owner is told", async (_, spoil) => {
    const folder = join(testFolder(), "queue");
    spoil(folder);
    const { queue, served, problems } = await start(() => false, { folder });
    expect(await queue.add(disclosure())).toBe(false);
    expect(await queue.flush(PATIENCE_MS)).toBe(true);
    expect(served.service.recorded).toHaveLength(1);
    expect(problems.map(({ code }) => code)).toEqual(["queue_disk_failed"]);
  });

  test("because its place takes no folder in, as /proc does, is told of at once", async () => {
    const { queue, problems } = await start(() => false, { folder: "/proc/nope/queue" });
    expect(await queue.add(disclosure())).toBe(false);
    expect(problems.map(({ code }) => code)).toEqual(["queue_disk_failed"]);
  });

  test("hands over at the end what is in memory alone", async () => {
    const folder = join(testFolder(), "file");
    writeFileSync(folder, "");
    const { queue, handovers } = await start(() => true, { folder });
    void queue.add(disclosure(), { idempotencyKey: "in-memory" });
    expect(await queue.close(50)).toEqual([]);
    expect(handovers).toMatchObject([{ code: "queue_closed", disclosure: { idempotencyKey: "in-memory" } }]);
  });

  test("because another has it, is told of, and the other's entries are left alone", async () => {
    const first = await start(() => true);
    await first.queue.add(disclosure(), { idempotencyKey: "of-the-first" });
    const served = await serve();
    const second = open(served, { folder: first.folder });
    expect(await second.queue.add(disclosure(), { idempotencyKey: "of-the-second" })).toBe(false);
    await second.queue.flush(PATIENCE_MS);
    expect(second.problems.map(({ code }) => code)).toEqual(["queue_in_use"]);
    expect(served.service.recorded.map(({ key }) => key)).toEqual(["of-the-second"]);
    expect((await first.queue.close(0)).map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      "of-the-first",
    ]);
  });

  test.skipIf(process.getuid?.() === 0)("because it is read-only, is told of", async () => {
    const folder = testFolder();
    chmodSync(folder, 0o500);
    const { queue, problems } = await start(() => false, { folder });
    expect(await queue.add(disclosure())).toBe(false);
    expect(problems.map(({ code }) => code)).toEqual(["queue_disk_failed"]);
  });

  test("with damaged lines is read as far as it can be", async () => {
    const folder = testFolder();
    const addedAt = new Date().toISOString();
    leaveBehind(folder, [{ request: disclosure(), idempotencyKey: "good", addedAt }]);
    const good = readFileSync(join(folder, "journal"), "utf8");
    const foreign = formatLine(["put", 9, '{"request":"of another version"}']);
    writeFileSync(join(folder, "journal"), `${good.replace("good", "g00d")}${good}${foreign}`);
    const { queue, served, problems } = await start(() => false, { folder });
    await vi.waitFor(
      () => expect(served.service.recorded.map(({ key }) => key)).toEqual(["good"]),
      PATIENCE_MS,
    );
    await queue.close();
    expect(problems.map(({ message }) => message)).toEqual([
      "the queue's folder: 1 damaged lines are now in damaged.txt",
      "the queue's folder: 1 entries of the journal can't be read",
    ]);
    expect(readFileSync(join(folder, "journal"), "utf8")).toContain("of another version");
  });
});

describe("the owner's functions", () => {
  const broken = (): never => {
    throw new Error("a bug of the owner's");
  };

  test("that fail break nothing, and are told of", async () => {
    const { queue, served, problems } = await start(() => false, { onReceipt: broken });
    void queue.add(disclosure());
    void queue.add(disclosure());
    expect(await queue.flush(PATIENCE_MS)).toBe(true);
    expect(served.service.recorded).toHaveLength(2);
    expect(problems.map(({ code }) => code)).toEqual(["queue_callback_failed", "queue_callback_failed"]);
  });

  test("are waited for, before the disclosure leaves the disk", async () => {
    const stored = Promise.withResolvers<void>();
    const { queue, folder } = await start(() => false, { onReceipt: () => stored.promise });
    await queue.add(disclosure(), { idempotencyKey: "kept-until-then" });
    expect(await queue.flush(100)).toBe(false);
    expect(readFileSync(join(folder, "journal"), "utf8")).toContain("kept-until-then");
    stored.resolve();
    expect(await queue.flush(PATIENCE_MS)).toBe(true);
  });

  test("that fail to take a disclosure over leave it for the next process", async () => {
    const refuse: Trick = ({ response }) => respond(response, 422, problem(422, "no"));
    // Vitest fails a run in which nobody handles a rejection.
    const onProblem = () => Promise.reject(new Error("the log is full"));
    const { queue, folder, served } = await start(refuse, { onHandover: broken, onProblem });
    await queue.add(disclosure(), { idempotencyKey: "nobody's" });
    expect(await queue.flush(PATIENCE_MS)).toBe(true);
    expect(await queue.close()).toMatchObject([{ idempotencyKey: "nobody's" }]);
    expect(served.calls).toHaveLength(1);
    const next = open(served, { folder });
    await vi.waitFor(
      () => expect(next.handovers).toMatchObject([{ disclosure: { idempotencyKey: "nobody's" } }]),
      PATIENCE_MS,
    );
  });
});

describe("the end", () => {
  test("leaves on disk what could not be sent in time, and the next process sends it in order", async () => {
    const { queue, folder, served } = await start(unavailable);
    for (const idempotencyKey of ["one", "two", "three"]) void queue.add(disclosure(), { idempotencyKey });
    expect((await queue.close(50)).map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      "one",
      "two",
      "three",
    ]);
    served.trick = () => false;
    const next = open(served, { folder });
    void next.queue.add(disclosure(), { idempotencyKey: "four" });
    expect(await next.queue.flush(PATIENCE_MS)).toBe(true);
    expect(served.service.recorded.map(({ key }) => key)).toEqual(["one", "two", "three", "four"]);
  });

  test("waits for what an earlier process left, before that is read", async () => {
    const served = await serve();
    const folder = testFolder();
    leaveBehind(folder, [
      { request: disclosure(), idempotencyKey: "left", addedAt: new Date().toISOString() },
    ]);
    const { queue } = open(served, { folder });
    expect(await queue.flush(PATIENCE_MS)).toBe(true);
    expect(served.service.recorded.map(({ key }) => key)).toEqual(["left"]);
  });

  test("ends a call that nobody answers, and loses nothing", async () => {
    const { queue, served, problems } = await start(() => true);
    await queue.add(disclosure());
    await vi.waitFor(() => expect(served.calls).toHaveLength(1), PATIENCE_MS);
    expect(await queue.close(10)).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  test("waits without end where it is told to", async () => {
    const { queue } = await start();
    void queue.add(disclosure());
    expect(await queue.flush(Number.POSITIVE_INFINITY)).toBe(true);
    expect(await queue.close(Number.POSITIVE_INFINITY)).toEqual([]);
  });

  test("is the same for who asks twice, and takes nothing more", async () => {
    const { queue, handovers } = await start();
    const ends = [queue.close(), queue.close()];
    expect(await queue.add(disclosure())).toBe(false);
    expect(await Promise.all(ends)).toEqual([[], []]);
    expect(codesOf(handovers)).toEqual(["queue_closed"]);
  });
});

test("a Node without SQLite is named in one line, before anything is queued", async () => {
  vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never);
  const served = await serve();
  expect(() => open(served, { folder: testFolder() })).toThrow(
    expect.objectContaining({ code: "invalid_options", message: expect.stringMatching(/^.*Node 22\.18.*$/) }),
  );
});
