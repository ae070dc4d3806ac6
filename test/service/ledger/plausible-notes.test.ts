// Notes of erasure and removal that somebody put on leaves by hand: what no command can have written is an error of ours.
import { afterAll, expect, test } from "vitest";
import { LedgerAudit } from "../../../service/audit/ledger-audit.ts";
import { RECEIPT_ATTRIBUTES } from "../../../service/ledger/chain-leaf.ts";
import { erasureAttribute, type Removal, removalAttribute } from "../../../service/ledger/leaf-states.ts";
import { findByEventId } from "../../../service/reports/find-receipts.ts";
import { leafKey, logPartition } from "../../../service/table/keys.ts";
import { TenantRegistry } from "../../../service/tenants/tenant-registry.ts";
import { HOUR, type Ledger, startLedgerStack } from "../../support/ledger-stack.ts";
import { retain } from "../../support/retain.ts";
import { readItem, without, writeItem } from "../../support/tamper.ts";
import { requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const DAY = 24 * HOUR;

/** One old receipt, three of ninety days later, sealed; a fourth one that is not sealed. */
async function newWorld() {
  const ledger = await stack.newLedger({ isSigned: false });
  const caller = await ledger.newTenant("tenant");
  const attest = async (id: string) => (await ledger.newProcess().attest(caller, requestOf(id))).event_id;
  const ids = [await attest("old")];
  ledger.now += 150 * DAY;
  for (const id of ["one", "two", "three"]) ids.push(await attest(id));
  await ledger.newProcess().seal();
  ids.push(await attest("pending"), await attest("newest"));
  return { ledger, caller, chainId: caller.chainIds[0] ?? "", ids };
}

const keyOf = (chainId: string, index: number) =>
  [logPartition(chainId), leafKey(chainId, index).sk.S] as const;

async function removeByHand(ledger: Ledger, chainId: string, index: number, removal: Removal): Promise<void> {
  const item = await readItem(ledger, keyOf(chainId, index));
  const bare = RECEIPT_ATTRIBUTES.reduce(without, item);
  await writeItem(ledger, { ...bare, ...removalAttribute(removal) });
}

async function faultsOf(ledger: Ledger) {
  const { table, roots } = ledger.newProcess();
  const registry = new TenantRegistry(table, ledger.clock);
  const scope = { tenantId: null, chainId: null };
  const audit = await LedgerAudit.begin({ table, roots, macs: null }, registry, scope);
  return (await audit.run(() => {})).faults;
}

const instant = (ledger: Ledger, ahead = 0): string => new Date(ledger.now + ahead).toISOString();

test.each([
  ["of a receipt that was too young", 2, 0, 3],
  ["of a time still to come", 2, 400 * DAY, 3],
  ["under a retention that nobody can have", 2, 0, 1],
])("a removal %s is damage, for the caller and the audit", async (_, index, ahead, months) => {
  const { ledger, caller, chainId, ids } = await newWorld();
  await removeByHand(ledger, chainId, index, { removed_at: instant(ledger, ahead), months });
  const report = ledger.newProcess().report(caller, ids[index] ?? "");
  await expect(report).rejects.toMatchObject({ code: "ledger_corrupt" });
  const services = {
    table: ledger.newProcess().table,
    registry: new TenantRegistry(ledger.newProcess().table, ledger.clock),
  };
  await expect(findByEventId(services, ids[index] ?? "")).rejects.toMatchObject({ code: "ledger_corrupt" });
  expect(await faultsOf(ledger)).toContainEqual(expect.objectContaining({ where: chainId, index }));
});

test("a receipt behind one that was removed by hand is no more plausible", async () => {
  const { ledger, caller, chainId, ids } = await newWorld();
  for (const index of [2, 3])
    await removeByHand(ledger, chainId, index, { removed_at: instant(ledger), months: 3 });
  const report = ledger.newProcess().report(caller, ids[3] ?? "");
  await expect(report).rejects.toMatchObject({ code: "ledger_corrupt" });
});

test("a receipt that no seal covers is never removed, which the audit knows", async () => {
  const { ledger, chainId } = await newWorld();
  await removeByHand(ledger, chainId, 4, { removed_at: instant(ledger), months: 3 });
  expect(await faultsOf(ledger)).toContainEqual(expect.objectContaining({ where: chainId, index: 4 }));
});

test.each([
  ["before its receipt was issued", -200 * DAY],
  ["at a time still to come", 200 * DAY],
])("an erasure %s is damage, for the caller and the audit", async (_, ahead) => {
  const { ledger, caller, chainId, ids } = await newWorld();
  const item = await readItem(ledger, keyOf(chainId, 2));
  const note = { erased_by: "operator", ground: "request", interaction_id: "erased:x" } as const;
  await writeItem(ledger, { ...item, ...erasureAttribute({ ...note, erased_at: instant(ledger, ahead) }) });
  const report = ledger.newProcess().report(caller, ids[2] ?? "");
  await expect(report).rejects.toMatchObject({ code: "ledger_corrupt" });
  expect(await faultsOf(ledger)).toContainEqual(expect.objectContaining({ where: chainId, index: 2 }));
});

test("what retention removed is gone, and no damage", async () => {
  const { ledger, caller, ids } = await newWorld();
  const registry = new TenantRegistry(ledger.newProcess().table, ledger.clock);
  await registry.setRetention("tenant", 3);
  expect((await retain(ledger)).receipts).toBe(1);
  const report = ledger.newProcess().report(caller, ids[0] ?? "");
  await expect(report).rejects.toMatchObject({ code: "receipt_removed" });
  expect(await faultsOf(ledger)).toEqual([]);
});
