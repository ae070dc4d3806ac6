// The note of how far retention has come, as somebody who writes the table leaves it.
import { afterAll, expect, test } from "vitest";
import { isRetentionOverdue } from "../../../service/erasure/retention-progress.ts";
import { retentionKey } from "../../../service/table/keys.ts";
import { TenantRegistry } from "../../../service/tenants/tenant-registry.ts";
import { HOUR, startLedgerStack } from "../../support/ledger-stack.ts";
import { retain } from "../../support/retain.ts";
import { deleteItem, keysUnder, writeItem } from "../../support/tamper.ts";
import { requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const DAY = 24 * HOUR;

/** An old conversation, and a newer receipt, of a tenant that keeps three months. */
async function newWorld() {
  const ledger = await stack.newLedger({ isSigned: false });
  const caller = await ledger.newTenant("tenant");
  const registry = new TenantRegistry(ledger.newProcess().table, ledger.clock);
  await registry.setRetention("tenant", 3);
  await ledger.newProcess().attest(caller, requestOf("old"));
  ledger.now += 150 * DAY;
  await ledger.newProcess().attest(caller, requestOf("new"));
  await ledger.newProcess().seal();
  return {
    ledger,
    isOverdue: async () => isRetentionOverdue(ledger.newProcess().table, await registry.list()),
  };
}

test.each([
  ["set ahead", "2090-01-01T00:00:00.000Z"],
  ["no time at all", "soon"],
])("a walk that was completed at a time %s was not completed", async (_, completed_at) => {
  const { ledger, isOverdue } = await newWorld();
  await writeItem(ledger, { ...retentionKey, completed_at: { S: completed_at } });
  expect(await isOverdue()).toBe(true);
  await retain(ledger);
  expect(await isOverdue()).toBe(false);
});

test.each([
  ["ahead of everything", JSON.stringify({ pk: "~", sk: "~" })],
  ["no place", "{"],
])("from a place that is %s, the runs after it remove what is old", async (_, place) => {
  const { ledger } = await newWorld();
  await writeItem(ledger, { ...retentionKey, place: { S: place } });
  await retain(ledger);
  await retain(ledger);
  const turns = (await keysUnder(ledger, "conversation#")).filter(([, sk]) => sk === "turn#0000000000000001");
  expect(turns).toHaveLength(1);
});

test("a progress that is deleted costs another walk", async () => {
  const { ledger, isOverdue } = await newWorld();
  await retain(ledger);
  await deleteItem(ledger, [retentionKey.pk.S, retentionKey.sk.S]);
  expect(await isOverdue()).toBe(true);
  expect((await retain(ledger)).conversations).toBe(0);
});
