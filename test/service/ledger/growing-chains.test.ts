// A tenant's number of chains grows while its conversations go on: each stays on its chain, and new ones use them all.
import { afterAll, expect, test } from "vitest";
import type { Receipt } from "../../../evidence/core/formats/receipt.ts";
import { MANY_CALLS, ONE_CALL_AT_A_TIME } from "../../../service/ledger/process-kind.ts";
import { chainOf, listChains } from "../../../service/ledger/tenant-chains.ts";
import { readChainPage } from "../../../service/reports/chain-history.ts";
import { conversationPartition } from "../../../service/table/keys.ts";
import { TenantRegistry } from "../../../service/tenants/tenant-registry.ts";
import type { Caller } from "../../../service/tenants/tenants.ts";
import { type Ledger, startLedgerStack } from "../../support/ledger-stack.ts";
import { attestPatiently } from "../../support/patient-caller.ts";
import { readItem, writeItem } from "../../support/tamper.ts";
import { requestOf, type TestProcess } from "../../support/test-process.ts";
import { ascending } from "../../support/trees.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

async function grow<C extends Caller>(ledger: Ledger, caller: C, chains: number): Promise<C> {
  const { table } = ledger.newProcess();
  await new TenantRegistry(table, ledger.clock).raiseChains(caller.tenantId, chains);
  return { ...caller, chains };
}

async function attest(process: TestProcess, caller: Caller, call: string, key?: string): Promise<Receipt> {
  return onlyReceipt(await attestPatiently(process, caller, requestOf(call), key));
}

function onlyReceipt({ receipts: [receipt] }: { receipts: Receipt[] }): Receipt {
  if (receipt === undefined) throw new Error("no receipt");
  return receipt;
}

/** The name of a conversation that would begin on another chain after the growth. */
const movedCall = (before: Caller, after: Caller, n = 0): string =>
  ascending(100, (i) => `call-${i}`).filter(
    (call) => chainOf(before, call).chainId !== chainOf(after, call).chainId,
  )[n] ?? "";

const chainsOf = (receipts: readonly Receipt[]): Set<string> =>
  new Set(receipts.map(({ chain_id }) => chain_id));

test("a conversation stays on its chain in every process, and its turns go on without a gap", async () => {
  const ledger = await stack.newLedger();
  const one = await ledger.newTenant("a", 1);
  const eight = await grow(ledger, one, 8);
  const kinds = [MANY_CALLS, ONE_CALL_AT_A_TIME, MANY_CALLS, ONE_CALL_AT_A_TIME];
  const processes = kinds.map((processKind) => ledger.newProcess(undefined, { processKind }));
  const call = movedCall(one, eight);
  const first = await attest(ledger.newProcess(), one, call);
  // Two processes were told the old number, as for half a minute after a growth.
  const receipts = await Promise.all(
    ascending(40, (i) => attest(processes[i % 4] as TestProcess, i % 4 < 2 ? one : eight, call)),
  );
  expect(chainsOf([first, ...receipts]).size).toBe(1);
  expect(receipts.map(({ turn }) => turn).sort((a, b) => a - b)).toEqual(ascending(40, (i) => i + 2));
  await ledger.check();
});

test("a conversation that processes with three numbers begin at once begins on one chain", async () => {
  const ledger = await stack.newLedger();
  const one = await ledger.newTenant("a", 1);
  const callers = [one, await grow(ledger, one, 3), await grow(ledger, one, 16)];
  const processes = callers.map(() => ledger.newProcess());
  const calls = ascending(6, (i) => `call-${i}`);
  const attestAll = async (call: string) =>
    Promise.all(callers.map((caller, i) => attest(processes[i] as TestProcess, caller, call)));
  const receipts = await Promise.all(calls.map(attestAll));
  for (const ofCall of receipts) {
    expect(chainsOf(ofCall).size).toBe(1);
    expect(ofCall.map(({ turn }) => turn).sort()).toEqual([1, 2, 3]);
  }
  expect((await ledger.check()).receipts).toBe(3 * calls.length);
});

test("new conversations use the chains that came, and a number never shrinks", async () => {
  const ledger = await stack.newLedger();
  const one = await ledger.newTenant("a", 1);
  const process = ledger.newProcess();
  const eight = await grow(ledger, one, 8);
  const receipts = await Promise.all(ascending(40, (i) => attest(process, eight, `call-${i}`)));
  expect(chainsOf(receipts)).toEqual(new Set(listChains(eight).map(({ chainId }) => chainId)));
  await grow(ledger, one, 4);
  const registry = new TenantRegistry(process.table, ledger.clock);
  expect((await registry.get("a")).chains).toBe(8);
  await expect(registry.raiseChains("a", 4_097)).rejects.toMatchObject({ code: "invalid_request" });
  await expect(registry.raiseChains("nobody", 4)).rejects.toMatchObject({ code: "not_found" });
  await ledger.check();
});

test("an Idempotency-Key finds its receipt, on whichever chain it was written", async () => {
  const ledger = await stack.newLedger();
  const one = await ledger.newTenant("a", 1);
  const eight = await grow(ledger, one, 8);
  const [early, late, other] = ascending(3, () => ledger.newProcess()) as [
    TestProcess,
    TestProcess,
    TestProcess,
  ];
  const call = movedCall(one, eight);
  const first = await attest(early, one, call, "key");
  expect(await attest(late, eight, call, "key")).toEqual(first);
  // Both at once, and the conversation is new to both.
  const second = movedCall(one, eight, 1);
  const [a, b] = await Promise.all([
    attest(early, one, second, "other-key"),
    attest(other, eight, second, "other-key"),
  ]);
  expect(a).toEqual(b);
  expect((await ledger.check()).receipts).toBe(2);
});

test("a batch sends on who belongs elsewhere, and writes the others", async () => {
  const ledger = await stack.newLedger();
  const one = await ledger.newTenant("a", 1);
  const eight = await grow(ledger, one, 8);
  const old = movedCall(one, eight);
  await attest(ledger.newProcess(), one, old);
  const { shard } = chainOf(eight, old);
  const fresh = ascending(200, (i) => `new-${i}`).filter((call) => chainOf(eight, call).shard === shard);
  const process = ledger.newProcess();
  const calls = [fresh[0], old, fresh[1], old, fresh[2]];
  const receipts = await Promise.all(calls.map((call = "") => attest(process, eight, call)));
  const [a, b, c, d, e] = receipts.map(({ chain_id }) => chain_id);
  expect([b, d]).toEqual([one.chainIds[0], one.chainIds[0]]);
  expect(new Set([a, c, e])).toEqual(new Set([chainOf(eight, old).chainId]));
  await ledger.check();
});

test("who was told the old number reads the receipts and the history of new chains", async () => {
  const ledger = await stack.newLedger();
  const one = await ledger.newTenant("a", 1);
  const eight = await grow(ledger, one, 8);
  const process = ledger.newProcess();
  const call = movedCall(one, eight);
  const receipt = await attest(process, eight, call);
  await process.seal();
  const report = await process.report(one, receipt.event_id);
  expect(onlyReceipt(report).chain_id).toBe(receipt.chain_id);
  expect((await process.interaction(one, call)).receipts).toHaveLength(1);
  const page = await readChainPage(process.table, one, receipt.chain_id, 0);
  expect([page.shard, page.heads.length]).toEqual([chainOf(eight, call).shard, 1]);
  const unknown = readChainPage(process.table, one, "0".repeat(32), 0);
  await expect(unknown).rejects.toMatchObject({ code: "not_found" });
});

test("a turn that leads to a chain which is not the tenant's is damage, and nothing is written", async () => {
  const ledger = await stack.newLedger();
  const [caller, other] = [await ledger.newTenant("a", 1), await ledger.newTenant("b", 1)];
  await attest(ledger.newProcess(), caller, "call");
  const key = [conversationPartition("a", "call"), `turn#${"1".padStart(16, "0")}`] as [string, string];
  const item = await readItem(ledger, key);
  await writeItem(ledger, { ...item, chain_id: { S: other.chainIds[0] ?? "" } });
  const attesting = attest(ledger.newProcess(), caller, "call");
  await expect(attesting).rejects.toMatchObject({ code: "ledger_corrupt" });
  await writeItem(ledger, item);
  expect((await ledger.check()).receipts).toBe(1);
});
