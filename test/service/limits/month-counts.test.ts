// The receipts of a tenant's month, as its key is told: right over all chains, and cheap to ask for.
import { afterAll, expect, test } from "vitest";
import { MonthCounts } from "../../../service/limits/month-counts.ts";
import { outage } from "../../support/faults.ts";
import {
  HOUR,
  type Ledger,
  MINUTE,
  SECOND,
  startLedgerStack,
  type TestCaller,
} from "../../support/ledger-stack.ts";
import { requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

/** Ledgers of these tests begin on the first of May, 2040. */
const JUNE = Date.UTC(2040, 5);
const noFault = (error: unknown) => expect.unreachable(String(error));

const countsIn = (ledger: Ledger, intercept?: Parameters<Ledger["newProcess"]>[0]) =>
  new MonthCounts({ table: ledger.newProcess(intercept).table, clock: ledger.clock, onFault: noFault });

async function attest(ledger: Ledger, caller: TestCaller, calls: number): Promise<void> {
  const process = ledger.newProcess();
  for (let i = 0; i < calls; i++) await process.attest(caller, requestOf(`call-${ledger.now}-${i}`), null);
}

test("counts every chain's receipts of this month alone", async () => {
  const ledger = await stack.newLedger({ isSigned: false });
  const caller = await ledger.newTenant("tenant", 3);
  const stranger = await ledger.newTenant("stranger");
  expect(await countsIn(ledger).of(caller)).toMatchObject({
    receipts: 0,
    endsAt: new Date(JUNE).toISOString(),
  });
  await attest(ledger, caller, 7);
  await attest(ledger, stranger, 1);
  expect(await countsIn(ledger).of(caller)).toMatchObject({ receipts: 7, countedAt: ledger.clock() });
  ledger.now = JUNE + HOUR;
  await attest(ledger, caller, 4);
  expect((await countsIn(ledger).of(caller)).receipts).toBe(4);
});

test("a process counts once in half a minute, and anew after that", async () => {
  const ledger = await stack.newLedger({ isSigned: false });
  const caller = await ledger.newTenant("tenant");
  const counts = countsIn(ledger);
  await attest(ledger, caller, 2);
  const first = await counts.of(caller);
  await attest(ledger, caller, 1);
  ledger.now += 29 * SECOND;
  expect(await counts.of(caller)).toBe(first);
  ledger.now += SECOND;
  expect((await counts.of(caller)).receipts).toBe(3);
  ledger.now -= MINUTE;
  expect((await counts.of(caller)).countedAt).toEqual(ledger.clock());
});

test("a count of a month that has ended is not that of the next one", async () => {
  const ledger = await stack.newLedger({ isSigned: false });
  const caller = await ledger.newTenant("tenant");
  const counts = countsIn(ledger);
  ledger.now = JUNE - SECOND;
  await attest(ledger, caller, 2);
  expect(await counts.of(caller)).toMatchObject({ receipts: 2, endsAt: new Date(JUNE).toISOString() });
  ledger.now = JUNE;
  expect(await counts.of(caller)).toMatchObject({ receipts: 0, endsAt: "2040-07-01T00:00:00.000Z" });
});

test("a count that failed is not what the next caller gets", async () => {
  const ledger = await stack.newLedger({ isSigned: false });
  const caller = await ledger.newTenant("tenant");
  await attest(ledger, caller, 1);
  let isDown = true;
  const counts = countsIn(ledger, (_call, send) => (isDown ? Promise.reject(outage()) : send()));
  await expect(counts.of(caller)).rejects.toMatchObject({ code: "ledger_unavailable" });
  isDown = false;
  expect((await counts.of(caller)).receipts).toBe(1);
});
