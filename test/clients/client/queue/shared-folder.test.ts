// A queue's folder that several processes share.
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { testFolder } from "../../../host/local/folder.ts";
import { disclosure } from "../../../support/api-client.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";
import { serve } from "../service.ts";
import { leaveBehind, open } from "./queues.ts";

const left = (idempotencyKey: string) => ({
  request: disclosure(),
  idempotencyKey,
  addedAt: new Date().toISOString(),
});

test("each queue takes a folder of its own in a shared one, and is safe on disk", async () => {
  const [folder, silent] = [testFolder(), await serve(() => true)];
  const queues = [1, 2, 3].map(() => open(silent, { folder, shared: true }));
  const safe = await Promise.all(queues.map(({ queue }) => queue.add(disclosure())));
  expect([safe, queues.flatMap(({ problems }) => problems)]).toMatchObject([[true, true, true], []]);
  expect(readdirSync(folder).sort()).toEqual(["0", "1", "2"]);
});

test("what a process left that died is sent by the next that starts, before an empty folder is taken", async () => {
  const [folder, served] = [testFolder(), await serve()];
  for (const number of ["0", "1", "2"]) mkdirSync(join(folder, number));
  leaveBehind(join(folder, "1"), [left("of-a-dead-process")]);
  const { receipts } = open(served, { folder, shared: true });
  await vi.waitFor(() => expect(receipts.map(({ key }) => key)).toEqual(["of-a-dead-process"]), PATIENCE_MS);
});

test("what a living process has waiting is left to it", async () => {
  const [folder, silent, served] = [testFolder(), await serve(() => true), await serve()];
  const first = open(silent, { folder, shared: true });
  await first.queue.add(disclosure(), { idempotencyKey: "waits" });
  const second = open(served, { folder, shared: true });
  await second.queue.add(disclosure(), { idempotencyKey: "second" });
  expect(await second.queue.flush(PATIENCE_MS)).toBe(true);
  expect(served.service.recorded.map(({ key }) => key)).toEqual(["second"]);
});

test("an option of another kind is refused", async () => {
  const served = await serve();
  expect(() => open(served, { shared: "yes" as never })).toThrow("shared: must be true or false");
});
