// The month's quota of a tenant: it ends at exactly its number in one process, and close to it in several.
import { afterAll, expect, test } from "vitest";
import type { Plan } from "../../../contract/plans.ts";
import type { Caller } from "../../../service/tenants/tenants.ts";
import { outage } from "../../support/faults.ts";
import { HOUR, type Ledger, MINUTE, SECOND, startLedgerStack } from "../../support/ledger-stack.ts";
import { attestPatiently } from "../../support/patient-caller.ts";
import { deleteItem, keysUnder } from "../../support/tamper.ts";
import { requestOf, type TestProcess } from "../../support/test-process.ts";
import { ascending } from "../../support/trees.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

/** Ledgers of these tests begin on the first of May, 2040. */
const MAY_ENDS = "2040-06-01T00:00:00.000Z";
const QUOTA = 1_000;
const PLAN: Plan = { rate: 5, burst: 1, monthlyQuota: QUOTA, chains: 1 };
const CALLERS = 64;

const planned = (plan: Partial<Plan> = {}) => ({ plans: { test: { ...PLAN, ...plan } } });

async function newWorld({ chains = 1, ...plan }: Partial<Plan> = {}) {
  const ledger = await stack.newLedger({ isSigned: false });
  const caller = await ledger.newTenant("tenant", chains);
  const newProcess = (): TestProcess => ledger.newProcess(undefined, planned(plan));
  return { ledger, caller, newProcess, process: newProcess() };
}

type Outcome = "written" | { readonly code: string; readonly reached: object };

const attest = (process: TestProcess, caller: Caller, call: string, key: string | null = null) =>
  attestPatiently(process, caller, requestOf(call), key).then(
    (): Outcome => "written",
    (error: Outcome) => error,
  );

/** Calls side by side, each one after the other until one is refused. Returns those last outcomes. */
function exhaust(processes: readonly TestProcess[], caller: Caller): Promise<Outcome[]> {
  return Promise.all(
    ascending(CALLERS, async (i) => {
      const process = processes[i % processes.length];
      for (let turn = 0; process !== undefined; turn++) {
        const outcome = await attest(process, caller, `call-${i}-${turn}`);
        if (outcome !== "written") return outcome;
      }
      return "written";
    }),
  );
}

const receiptsOf = async (ledger: Ledger): Promise<number> => (await ledger.check()).receipts;

test("64 callers on three chains end at exactly the quota, and each is told until when", async () => {
  const { ledger, caller, process } = await newWorld({ chains: 3 });
  const outcomes = await exhaust([process], caller);
  const retryAfterSeconds = (Date.parse(MAY_ENDS) - ledger.now) / SECOND;
  for (const outcome of outcomes) {
    const reached = { limit: "monthly_quota", endsAt: MAY_ENDS, retryAfterSeconds };
    expect(outcome).toMatchObject({ code: "quota_exceeded", reached });
  }
  expect(await receiptsOf(ledger)).toBe(QUOTA);
});

test("three processes together go beyond it by two at most", async () => {
  // Time stands still here, so the rate says nothing: eight bursts alone are what others may have used.
  const [monthlyQuota, burst] = [30, 4];
  const { ledger, caller, newProcess } = await newWorld({ chains: 3, monthlyQuota, burst });
  await exhaust([newProcess(), newProcess(), newProcess()], caller);
  const receipts = await receiptsOf(ledger);
  expect(receipts).toBeGreaterThanOrEqual(monthlyQuota);
  expect(receipts).toBeLessThanOrEqual(monthlyQuota + 2);
});

test("an Idempotency-Key finds its receipt when the quota is used up, in any process, and a new one finds none", async () => {
  const { ledger, caller, process, newProcess } = await newWorld({ monthlyQuota: 2 });
  const first = await process.attest(caller, requestOf("call"), "key");
  expect(await attest(process, caller, "other")).toBe("written");
  for (const any of [process, newProcess()]) {
    expect((await any.attest(caller, requestOf("call"), "key")).receipts).toEqual(first.receipts);
    expect(await attest(any, caller, "call", "new")).toMatchObject({ code: "quota_exceeded" });
    expect(await attest(any, caller, "call-2", "key")).toMatchObject({ code: "idempotency_conflict" });
  }
  ledger.now += 24 * HOUR;
  expect(await attest(process, caller, "call", "key")).toMatchObject({ code: "quota_exceeded" });
  expect(await receiptsOf(ledger)).toBe(2);
});

test("repeats and calls that write nothing leave their room to others", async () => {
  const { ledger, caller, process } = await newWorld({ monthlyQuota: 3 });
  await process.attest(caller, requestOf("call"), "key");
  const outcomes = await Promise.all([
    attest(process, caller, "call", "key"),
    attest(process, caller, "other", "key"),
    attest(process, caller, "second"),
    attest(process, caller, "call", "key"),
    attest(process, caller, "third"),
  ]);
  expect(outcomes).toEqual([
    "written",
    expect.objectContaining({ code: "idempotency_conflict" }),
    ...Array(3).fill("written"),
  ]);
  expect(await receiptsOf(ledger)).toBe(3);
});

test("each month has the whole quota, and what a process learned in the month before is no hindrance", async () => {
  const { ledger, caller, process, newProcess } = await newWorld({ monthlyQuota: 5, chains: 2 });
  await exhaust([process], caller);
  ledger.now = Date.parse(MAY_ENDS) - 1;
  expect(await attest(process, caller, "last")).toMatchObject({ code: "quota_exceeded" });
  ledger.now += 1;
  expect(await attest(newProcess(), caller, "first")).toBe("written");
  const outcomes = await exhaust([process], caller);
  expect(outcomes[0]).toMatchObject({ reached: { endsAt: "2040-07-01T00:00:00.000Z" } });
  expect(await receiptsOf(ledger)).toBe(10);
});

test("a receipt counts for the month that it is dated in, whatever a process's clock says", async () => {
  const { ledger, caller, newProcess } = await newWorld({ monthlyQuota: 2 });
  ledger.now = Date.parse(MAY_ENDS) - MINUTE;
  const ahead = ledger.newProcess(undefined, {
    ...planned({ monthlyQuota: 2 }),
    clock: () => new Date(ledger.now + 2 * MINUTE),
  });
  expect(await attest(ahead, caller, "june")).toBe("written");
  // Its own clock says May, and the chain June: the receipt is dated after the one before it.
  expect(await attest(newProcess(), caller, "june too")).toBe("written");
  ledger.now += 2 * MINUTE;
  expect(await attest(newProcess(), caller, "too many")).toMatchObject({ code: "quota_exceeded" });
  expect(await receiptsOf(ledger)).toBe(2);
});

test("a write of unknown outcome is looked for before the next call", async () => {
  const { ledger, caller } = await newWorld();
  const unsure = ledger.newProcess(
    async (call, send) => {
      if (call.name !== "TransactWriteItems" || call.nth !== 1) return send();
      await send();
      ledger.now += HOUR;
      throw outage();
    },
    planned({ monthlyQuota: 1 }),
  );
  expect(await attest(unsure, caller, "call")).toMatchObject({ code: "ledger_unavailable" });
  expect(await attest(unsure, caller, "call")).toMatchObject({ code: "quota_exceeded" });
  expect(await receiptsOf(ledger)).toBe(1);
});

test("far from the limit a reading of all chains serves many calls, and a call that is refused takes none", async () => {
  const { caller, process } = await newWorld({ monthlyQuota: 1_000, chains: 4 });
  const reads = () =>
    process.calls.steps.filter(({ name }) => name === "Query" || name === "BatchGetItem").length;
  await process.attest(caller, requestOf("call"));
  const [before, calls] = [reads(), 20];
  for (let turn = 0; turn < calls; turn++) await process.attest(caller, requestOf("call"));
  expect(reads() - before).toBeLessThanOrEqual(2);

  const small = await newWorld({ monthlyQuota: 1 });
  await exhaust([small.process], small.caller);
  const steps = small.process.calls.steps.length;
  expect(await attest(small.process, small.caller, "call")).toMatchObject({ code: "quota_exceeded" });
  expect(small.process.calls.steps).toHaveLength(steps);
});

test("what other processes wrote is seen in time, though nothing is read for a while", async () => {
  const { ledger, caller, process, newProcess } = await newWorld({ monthlyQuota: 40, rate: 1 });
  expect(await attest(process, caller, "call")).toBe("written");
  const other = newProcess();
  for (let turn = 0; turn < 39; turn++) expect(await attest(other, caller, "call")).toBe("written");
  ledger.now += 5 * SECOND;
  expect(await attest(process, caller, "call")).toMatchObject({ code: "quota_exceeded" });
});

test("a leaf that is lost stops no call: it counts as older than the month", async () => {
  const { ledger, caller, newProcess } = await newWorld({ monthlyQuota: 5 });
  for (let turn = 0; turn < 5; turn++) await newProcess().attest(caller, requestOf("call"));
  const [, , lost = ["", ""]] = await keysUnder(ledger, `chain#${caller.chainIds[0]}`);
  await deleteItem(ledger, lost);
  const process = newProcess();
  const outcomes = await exhaust([process], caller);
  expect(outcomes.every((outcome) => outcome !== "written" && outcome.code === "quota_exceeded")).toBe(true);
  // The two leaves after the lost one count on.
  expect(await keysUnder(ledger, `chain#${caller.chainIds[0]}`)).toHaveLength(4 + 3);
});

test("a tenant whose plan has no limits is neither counted nor read", async () => {
  const { ledger, caller } = await newWorld();
  const process = ledger.newProcess(undefined, { plans: { constructor: { ...PLAN, monthlyQuota: 1 } } });
  for (let turn = 0; turn < 3; turn++) await process.attest(caller, requestOf("call"));
  const free = ledger.newProcess();
  await free.attest(caller, requestOf("call"));
  const queries = free.calls.steps.filter(({ name }) => name === "Query");
  // The newest leaf, the newest turn, and the newest stamped seal.
  expect(queries).toHaveLength(3);
  expect(process.calls.steps.filter(({ name }) => name === "BatchGetItem")).toEqual([]);
});
