// Many calls with one Idempotency-Key at the same moment, in one process: one receipt, and the chain stays free.
import { afterAll, expect, test } from "vitest";
import { type Interceptor, outage } from "../../support/faults.ts";
import { startLedgerStack } from "../../support/ledger-stack.ts";
import { requestOf, type TestProcess } from "../../support/test-process.ts";
import { ascending } from "../../support/trees.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

async function newWorld(intercept?: Interceptor) {
  const ledger = await stack.newLedger({ isSigned: false });
  return { ledger, caller: await ledger.newTenant("tenant"), process: ledger.newProcess(intercept) };
}

const transactionsOf = ({ calls }: TestProcess): number =>
  calls.steps.filter(({ name }) => name === "TransactWriteItems").length;

test("2,000 repeats of one key share one receipt, which is counted once, and hold up no other call", async () => {
  const { ledger, caller, process } = await newWorld();
  const repeats = ascending(2_000, () => process.attest(caller, requestOf("call"), "key"));
  const others = ascending(20, (i) => process.attest(caller, requestOf(`other-${i}`)));
  const [[first, ...rest], receipts] = [await Promise.all(repeats), await Promise.all(others)];
  expect(
    rest.filter(({ receipts: [receipt] }) => receipt?.event_id !== first?.receipts[0]?.event_id),
  ).toEqual([]);
  expect(new Set(receipts.map(({ receipts: [receipt] }) => receipt?.sequence)).size).toBe(20);
  // The key's first use goes alone, as the chain was idle; the others of the chain share the next transaction.
  expect(transactionsOf(process)).toBe(2);
  expect(process.counted).toEqual({ attestations: 21, lostRaces: 0 });
  const { receipts: written, idempotencyRecords } = await ledger.check();
  expect([written, idempotencyRecords.length]).toEqual([21, 1]);
});

test("a repeat that comes after the answer gets the same receipt from the table", async () => {
  const { ledger, caller, process } = await newWorld();
  const first = await process.attest(caller, requestOf("call"), "key");
  const second = await process.attest(caller, requestOf("call"), "key");
  expect(second.receipts).toEqual(first.receipts);
  expect((await ledger.check()).receipts).toBe(1);
});

test("one key with two bodies at the same moment is one receipt and one conflict, also for the body's own repeats", async () => {
  const { ledger, caller, process } = await newWorld();
  const [first, same, ...others] = await Promise.allSettled(
    ["call", "call", "another", "another", "third"].map((id) => process.attest(caller, requestOf(id), "key")),
  );
  expect([first?.status, same?.status]).toEqual(["fulfilled", "fulfilled"]);
  const conflict = { status: "rejected", reason: { code: "idempotency_conflict" } };
  expect(others).toMatchObject([conflict, conflict, conflict]);
  expect(transactionsOf(process)).toBe(1);
  expect((await ledger.check()).receipts).toBe(1);
});

test("two tenants' calls with the same key and body share nothing", async () => {
  const { ledger, caller, process } = await newWorld();
  const other = await ledger.newTenant("other");
  const [mine, theirs] = await Promise.all(
    [caller, other].map((tenant) => process.attest(tenant, requestOf("call"), "key")),
  );
  expect(theirs?.receipts[0]?.chain_id).not.toBe(mine?.receipts[0]?.chain_id);
  expect((await ledger.check()).receipts).toBe(2);
});

test("the failure of the first is its repeats' too, and the next call starts anew", async () => {
  let isDown = true;
  const { ledger, caller, process } = await newWorld(async ({ name }, send) => {
    if (isDown && name === "Query") throw outage();
    return send();
  });
  const attest = () => process.attest(caller, requestOf("call"), "key");
  const failed = await Promise.allSettled([attest(), attest(), attest()]);
  const unavailable = { status: "rejected", reason: { code: "ledger_unavailable" } };
  expect(failed).toMatchObject([unavailable, unavailable, unavailable]);
  isDown = false;
  await attest();
  expect(process.counted).toMatchObject({ attestations: 1 });
  expect((await ledger.check()).receipts).toBe(1);
});

test("where the first fails, another body of its key is judged by the ledger", async () => {
  const { ledger, caller, process } = await newWorld();
  const recorded = await ledger.newProcess().attest(caller, requestOf("call"), "key");
  const [wrong, right] = await Promise.allSettled([
    process.attest(caller, requestOf("another"), "key"),
    process.attest(caller, requestOf("call"), "key"),
  ]);
  expect(wrong).toMatchObject({ status: "rejected", reason: { code: "idempotency_conflict" } });
  expect(right).toMatchObject({ status: "fulfilled", value: { receipts: recorded.receipts } });
});
