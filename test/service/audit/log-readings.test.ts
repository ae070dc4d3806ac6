// Anybody is told how far the log is published, and how old the newest quorum of its witnesses is.
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { CHECKPOINT_PATH } from "../../../contract/metachain-paths.ts";
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import { parsePolicy } from "../../../evidence/core/log/tlog-policy.ts";
import { type LogReading, LogReadings } from "../../../service/audit/log-readings.ts";
import type { Interceptor } from "../../support/faults.ts";
import { HOUR, type Ledger, MINUTE, SECOND, startLedgerStack } from "../../support/ledger-stack.ts";
import { newLog, signCheckpoint } from "../../support/log-signer.ts";
import { newWitnessedLedger } from "../../support/witnessed-ledger.ts";

const stack = await startLedgerStack();
const ends = [stack.close];
afterAll(() => Promise.all(ends.map((end) => end())));
afterEach(() => void vi.useRealTimers());

async function newWorld() {
  const world = await newWitnessedLedger(stack);
  ends.push(world.close);
  return world;
}

/** A process that reads for the public, the objects that it asked for, and what it told the operator. */
function reader(ledger: Ledger, policy: string | null, intercept?: Interceptor) {
  const asked: string[] = [];
  const failures: unknown[] = [];
  const { roots } = ledger.newProcess((call, send) => {
    asked.push(call.name);
    return intercept === undefined ? send() : intercept(call, send);
  });
  const witnesses = policy === null ? null : parsePolicy(policy);
  const onFailure = (error: unknown) => void failures.push(error);
  return { log: new LogReadings({ roots, witnesses, clock: ledger.clock, onFailure }), asked, failures };
}

const read = (ledger: Ledger, policy: string | null): Promise<LogReading> =>
  reader(ledger, policy).log.read();

const NOTHING = { at: null, tree_size: null };

test("the newest root and quorum are stated with their times, by the clock that is stated too", async () => {
  const { ledger, policy, seal } = await newWorld();
  const sealedAt = await seal();
  const at = ledger.clock().toISOString();
  ledger.now += MINUTE;
  expect(await read(ledger, policy)).toEqual({
    read_at: ledger.clock().toISOString(),
    status: "published",
    origin: ledger.key.log.key.name,
    head: { tree_size: 1, sealed_at: sealedAt },
    quorum: { status: "recent", at, tree_size: 1 },
  });
});

test("a quorum is old after three hours, and not before", async () => {
  const { ledger, policy, seal } = await newWorld();
  await seal();
  ledger.now += 3 * HOUR;
  expect(await read(ledger, policy)).toMatchObject({ quorum: { status: "recent" } });
  ledger.now += SECOND;
  expect(await read(ledger, policy)).toMatchObject({ quorum: { status: "old" } });
});

test("where the newest checkpoint lacks a quorum, that of an earlier one is stated, with its size", async () => {
  const { ledger, b, policy, seal } = await newWorld();
  await seal();
  const at = ledger.clock().toISOString();
  b.spoil = () => ({ status: 500 });
  ledger.now += MINUTE;
  await seal();
  expect(await read(ledger, policy)).toMatchObject({
    head: { tree_size: 2 },
    quorum: { status: "recent", at, tree_size: 1 },
  });
});

test("a quorum of a time ahead of the clock is none", async () => {
  const { ledger, policy, seal } = await newWorld();
  await seal();
  ledger.now -= 6 * MINUTE;
  expect(await read(ledger, policy)).toMatchObject({ quorum: { status: "none", ...NOTHING } });
});

test("a log that has published nothing says so, and has no quorum", async () => {
  const { ledger, policy } = await newWorld();
  const nothing = { status: "not_published", origin: null, head: null };
  expect(await read(ledger, policy)).toMatchObject({ ...nothing, quorum: { status: "none", ...NOTHING } });
  expect(await read(ledger, null)).toMatchObject({ ...nothing, quorum: { status: "not_asked" } });
});

test("where no witness is asked, no quorum is missing, and its checkpoints are not read", async () => {
  const { ledger, seal } = await newWorld();
  await seal();
  const { log, asked } = reader(ledger, null);
  expect(await log.read()).toMatchObject({
    status: "published",
    quorum: { status: "not_asked", ...NOTHING },
  });
  expect(asked).toEqual(["GetObject"]);
});

test("a checkpoint that another key signed leaves the quorum unknown, and the operator is told why", async () => {
  const { ledger, policy, seal } = await newWorld();
  await seal();
  const forged = signCheckpoint(newLog(ledger.key.log.key.name), { size: 1, root: new Uint8Array(32) });
  const object = { Bucket: ledger.name, Key: CHECKPOINT_PATH };
  await ledger.clients.s3.send(new PutObjectCommand({ ...object, Body: forged }));
  const { log, failures } = reader(ledger, policy);
  expect(await log.read()).toMatchObject({
    status: "published",
    head: { tree_size: 1 },
    quorum: { status: "unknown", ...NOTHING },
  });
  expect(failures).toMatchObject([{ message: expect.stringContaining("no log of the policy signed") }]);
});

test("a bucket that can't be reached, or does not answer, leaves all unknown, and the operator is told why", async () => {
  const { ledger, policy, seal } = await newWorld();
  await seal();
  const unknown = { status: "unknown", origin: null, head: null, quorum: { status: "unknown", ...NOTHING } };
  const broken = reader(ledger, policy, () => Promise.reject(new Error("no route")));
  expect(await broken.log.read()).toMatchObject(unknown);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const silent = reader(ledger, policy, () => new Promise(() => {}));
  const state = silent.log.read();
  await vi.advanceTimersByTimeAsync(3 * SECOND);
  expect(await state).toMatchObject(unknown);
  for (const { failures } of [broken, silent]) {
    expect(failures).toHaveLength(1);
    expect(isDisclosureError(failures[0], "publication_unavailable")).toBe(true);
  }
});

test("however many ask, the bucket is read once a minute, also while it fails", async () => {
  const { ledger, policy, seal } = await newWorld();
  await seal();
  const healthy = reader(ledger, policy);
  const broken = reader(ledger, policy, () => Promise.reject(new Error("no route")));
  const crowd = async () => {
    for (const { log } of [healthy, broken]) {
      const [first, ...others] = await Promise.all(Array.from({ length: 50 }, () => log.read()));
      for (const other of others) expect(other).toEqual(first);
    }
    return [healthy.asked.length, broken.failures.length];
  };
  expect(await crowd()).toEqual([2, 1]);
  ledger.now += MINUTE - 1;
  expect(await crowd()).toEqual([2, 1]);
  ledger.now += 1;
  expect(await crowd()).toEqual([4, 2]);
  ledger.now -= 1;
  expect(await crowd()).toEqual([6, 3]);
});

test("a reading has at most 18 objects, however long the quorum has been missing", async () => {
  const { ledger, b, policy, seal } = await newWorld();
  b.spoil = () => ({ status: 500 });
  for (let i = 0; i < 19; i++) {
    ledger.now += MINUTE;
    await seal();
  }
  const { log, asked } = reader(ledger, policy);
  expect(await log.read()).toMatchObject({ head: { tree_size: 19 }, quorum: { status: "none" } });
  expect(asked).toHaveLength(18);
});
