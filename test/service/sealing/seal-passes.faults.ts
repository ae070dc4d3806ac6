// More chains with news than one run has time for: several runs make a pass over them, and what a run has read or written
// needs no read again.
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { readNews } from "../../../service/sealing/seal-news.ts";
import { minuteOf, newsKey } from "../../../service/table/keys.ts";
import type { Table } from "../../../service/table/table.ts";
import type { Interceptor } from "../../support/faults.ts";
import { CORE } from "../../support/leaf-items.ts";
import { type Ledger, MINUTE, startLedgerStack, type TestCaller } from "../../support/ledger-stack.ts";
import { keysUnder, readItem, without, writeItem } from "../../support/tamper.ts";
import { requestOf } from "../../support/test-process.ts";
import { ascending } from "../../support/trees.ts";

const stack = await startLedgerStack();
afterAll(stack.close);
afterEach(() => void vi.restoreAllMocks());

/** The heads of fifty chains go in one transaction, so a run without time appends so many. */
const CHAINS_A_RUN = 50;
const CHAINS = 120;
const NO_TIME_MS = 60_000;

/** Each look at the time is a minute after the one before. */
function withoutTime(): void {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += NO_TIME_MS));
}

async function newWorld(chains: number) {
  const ledger = await stack.newLedger({ isSigned: false });
  const callers = await Promise.all(ascending(chains, (i) => ledger.newTenant(`tenant-${i}`)));
  await attestAll(ledger, callers);
  return { ledger, callers };
}

async function attestAll(ledger: Ledger, callers: readonly TestCaller[]): Promise<void> {
  const process = ledger.newProcess();
  await Promise.all(callers.map((caller) => process.attest(caller, requestOf("call"))));
}

test("a call goes on with further runs while it has time, and each publishes what it has appended", async () => {
  const { ledger } = await newWorld(CHAINS);
  withoutTime();
  const run = await ledger.newProcess().seal(() => true);
  expect(run).toMatchObject({ outcome: "published", chains: CHAINS, isCutOff: false });
  expect(run.published.map(({ receipt_count }) => receipt_count)).toEqual([50, 50, 20]);
  const { receipts, publishedReceipts } = await ledger.check();
  expect([receipts, publishedReceipts]).toEqual([CHAINS, CHAINS]);
});

test("a call without time says that it was cut off, and the next ones go on behind it", async () => {
  const { ledger } = await newWorld(CHAINS);
  withoutTime();
  const sealed: (number | undefined)[] = [];
  for (let isCutOff = true; isCutOff; ) {
    const run = await ledger.newProcess().seal();
    sealed.push(run.published[0]?.receipt_count);
    isCutOff = run.isCutOff;
    ledger.now += MINUTE;
  }
  expect(sealed).toEqual([50, 50, 20]);
  expect((await ledger.check()).publishedReceipts).toBe(CHAINS);
});

test("a damaged chain keeps no run from following, and is thrown at the end", async () => {
  const { ledger, callers } = await newWorld(CHAINS);
  const [key = ["", ""]] = await keysUnder(ledger, `chain#${callers[0]?.chainIds[0]}`);
  await writeItem(ledger, without(await readItem(ledger, key), CORE));
  withoutTime();
  const call = ledger.newProcess().seal(() => true);
  await expect(call).rejects.toMatchObject({ code: "ledger_corrupt" });
  expect(await keysUnder(ledger, "sealed#")).toHaveLength(CHAINS - 1);
});

test("while more comes than the runs have time for, chains do not wait for others that grew meanwhile", async () => {
  const { ledger, callers } = await newWorld(CHAINS);
  const runsAPass = Math.ceil(CHAINS / CHAINS_A_RUN);
  const lags: number[] = [];
  for (let run = 0; run < 3 * runsAPass; run++) {
    const process = ledger.newProcess();
    withoutTime();
    await process.seal();
    vi.restoreAllMocks();
    lags.push(process.counted.sealLag ?? Number.NaN);
    ledger.now += MINUTE;
    await attestAll(ledger, callers);
  }
  // News that came just behind a run of one pass waits for the end of the next pass.
  expect(Math.max(...lags)).toBeLessThanOrEqual((2 * runsAPass * MINUTE) / 1_000);
});

/** News of so many chains that nobody has written. */
async function markNews(table: Table, now: Date, count: number): Promise<readonly string[]> {
  const chainIds = ascending(count, (i) => `${i}`.padStart(32, "0"));
  const writes = chainIds.map((chainId) => ({ put: newsKey(minuteOf(now), chainId) }));
  await table.transact(writes, randomUUID());
  return chainIds;
}

test("a pass that was cut off ends behind its last chain: what was marked before it began is news no more", async () => {
  const { ledger } = await newWorld(0);
  const { table } = ledger.newProcess();
  const readNow = () => readNews(table, [], { now: ledger.clock(), sealedSize: 0, sealedAt: null });
  const old = await markNews(table, ledger.clock(), 8);
  ledger.now += 7 * MINUTE;
  const first = await readNow();
  await first.reached(5);
  await first.sealed(5);
  ledger.now += 7 * MINUTE;
  const [recent = ""] = await markNews(table, ledger.clock(), 1);
  const second = await readNow();
  expect(new Set(second.chainIds)).toEqual(new Set(old));
  // Three were left of the pass, and the others begin the next one.
  expect(second.chainIds.slice(3)).toEqual(expect.arrayContaining([...first.chainIds.slice(0, 5)]));
  await second.reached(4);
  await second.sealed(2);
  expect((await readNow()).chainIds).toHaveLength(8);
  await second.sealed(4);
  expect((await readNow()).chainIds).toEqual([recent]);
});

/** Counts the Querys for the newest span of a chain, before its head is read; the check of a seal asks for more of them. */
function countSpanQueries() {
  const counted = { queries: 0 };
  const intercept: Interceptor = ({ name, input }, send) => {
    const isForNewest =
      JSON.stringify(input).includes('"sealed#') && (input as { Limit?: number }).Limit === 1;
    if (name === "Query" && isForNewest) counted.queries++;
    return send();
  };
  return { counted, intercept };
}

test("a process that sealed chains knows their spans, and another asks the table", async () => {
  const { ledger, callers } = await newWorld(10);
  const { counted, intercept } = countSpanQueries();
  const process = ledger.newProcess(intercept);
  // A chain without a span has nothing to be remembered: who looks at it asks, and who seals it. Of one that has grown, who
  // looks at it asks whether another process has sealed it since.
  for (const queries of [20, 30, 40]) {
    await process.seal();
    expect(counted.queries).toBe(queries);
    await attestAll(ledger, callers);
  }
  await ledger.newProcess(intercept).seal();
  expect(counted.queries).toBe(60);
  expect((await ledger.check()).publishedReceipts).toBe(40);
});

test("a process whose spans are old, since another has sealed the chains, seals each receipt once", async () => {
  const { ledger, callers } = await newWorld(10);
  const process = ledger.newProcess();
  await process.seal();
  for (let round = 0; round < 2; round++) {
    await attestAll(ledger, callers);
    await ledger.newProcess().seal();
  }
  await process.seal();
  await attestAll(ledger, callers.slice(0, 5));
  await process.seal();
  const { receipts, publishedReceipts } = await ledger.check();
  expect([receipts, publishedReceipts]).toEqual([35, 35]);
});
