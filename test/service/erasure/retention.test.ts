// Retention: old conversations go whole, and every proof that somebody holds, or asks for later, stays.
import { afterAll, describe, expect, test } from "vitest";
import { canonicalize } from "../../../evidence/core/canonical-json.ts";
import { monthOf } from "../../../evidence/core/formats/month.ts";
import { verifyReceipt } from "../../../evidence/core/verify/verify-receipt.ts";
import { LedgerAudit } from "../../../service/audit/ledger-audit.ts";
import { closeConversation, readConversation } from "../../../service/erasure/conversation-turns.ts";
import { erase } from "../../../service/erasure/erase.ts";
import { type RetainedChain, readRetainedChains } from "../../../service/erasure/retained-chains.ts";
import { isRetentionOverdue } from "../../../service/erasure/retention-progress.ts";
import { cutoffOf } from "../../../service/ledger/leaf-states.ts";
import { TenantGrowth } from "../../../service/limits/tenant-growth.ts";
import { ChainEntries } from "../../../service/reports/chain-entries.ts";
import { readChainPage } from "../../../service/reports/chain-history.ts";
import { conversationPartition } from "../../../service/table/keys.ts";
import { TenantRegistry } from "../../../service/tenants/tenant-registry.ts";
import { HOUR, type Ledger, startLedgerStack, type TestCaller } from "../../support/ledger-stack.ts";
import { retain } from "../../support/retain.ts";
import { requestOf } from "../../support/test-process.ts";
import { dump } from "./erased.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const DAY = 24 * HOUR;
const MONTHS = 3;

/** Two old conversations, one that began then and went on later, and one of now. */
async function newWorld() {
  const ledger = await stack.newLedger({ isSigned: false });
  const caller = await ledger.newTenant("tenant");
  const process = ledger.newProcess();
  const registry = new TenantRegistry(process.table, ledger.clock);
  await registry.setRetention("tenant", MONTHS);
  const ids: Record<string, string> = {};
  for (const call of ["old-1", "long", "old-2", "old-1"])
    ids[call] = (await process.attest(caller, requestOf(call))).event_id;
  await process.seal();
  const held = await process.report(caller, ids["old-1"] ?? "");
  ledger.now += 120 * DAY;
  for (const call of ["long", "new"]) ids[call] = (await process.attest(caller, requestOf(call))).event_id;
  await process.seal();
  ledger.now += 20 * DAY;
  return { ledger, caller, ids, held };
}

/** The six leaves of the tenant's chain, as its history has them. */
const leavesOf = (ledger: Ledger, caller: TestCaller): Promise<Uint8Array> =>
  new ChainEntries(ledger.newProcess().table).read(caller, caller.chainIds[0] ?? "", { index: 0, width: 6 });

/** A run that is cut off when it has met so many conversations. */
async function cutOff(ledger: Ledger, conversations: number): Promise<void> {
  const { table } = ledger.newProcess();
  const retained = await new TenantRegistry(table, ledger.clock).retained(null);
  const chains = new (class extends Map<string, RetainedChain> {
    #left = conversations;
    override get(chainId: string) {
      if (this.#left-- === 0) throw new Error("cut off");
      return super.get(chainId);
    }
  })(await readRetainedChains(table, retained));
  await expect(retain(ledger, { chains })).rejects.toThrow("cut off");
}

describe("retention", () => {
  test("removes old conversations whole, and all that is left is proven as before", async () => {
    const { ledger, caller, ids, held } = await newWorld();
    expect(await retain(ledger, { isDryRun: true })).toMatchObject({ conversations: 2, receipts: 3 });
    expect(await dump(ledger)).toContain("old-1");
    const leaves = await leavesOf(ledger, caller);
    expect(await retain(ledger)).toMatchObject({ conversations: 2, receipts: 3, skipped: 0 });
    const text = await dump(ledger);
    expect([text.includes("old-1"), text.includes("old-2"), text.includes("long")]).toEqual([
      false,
      false,
      true,
    ]);

    const process = ledger.newProcess();
    await expect(process.report(caller, ids["old-1"] ?? "")).rejects.toMatchObject({
      code: "receipt_removed",
      evidence: { months: MONTHS },
    });
    await expect(process.interaction(caller, "old-1")).rejects.toMatchObject({ code: "not_found" });
    // A report that somebody holds, and one that leads past what was removed.
    for (const report of [held, await process.report(caller, ids.long ?? "")]) {
      const { checks } = await verifyReceipt(report, {});
      // The "tokens" of these tests are none.
      const refuted = checks.filter(({ name, ok }) => ok === false && name !== "timestamp");
      expect([refuted, checks.length > 5]).toEqual([[], true]);
    }
    expect((await process.interaction(caller, "long")).receipts.map(({ turn }) => turn)).toEqual([1, 2]);
    const { heads } = await readChainPage(process.table, caller, caller.chainIds[0] ?? "", 0);
    expect(heads.map(({ tree_size }) => tree_size)).toEqual([4, 6]);
    expect(await leavesOf(ledger, caller)).toEqual(leaves);
    expect(leaves).toHaveLength(6 * 64);

    await process.attest(caller, requestOf("newer"));
    await process.seal();
    const registry = new TenantRegistry(process.table, ledger.clock);
    const scope = { tenantId: null, chainId: null };
    const { table, roots, macs } = process;
    const audit = await LedgerAudit.begin({ table, roots, macs }, registry, scope);
    expect(await audit.run(() => {})).toMatchObject({ faultCount: 0, receipts: 7, removed: 3, macs: 4 });
  });

  test("a second run changes nothing, and neither does one of a tenant that keeps all", async () => {
    const { ledger } = await newWorld();
    await retain(ledger);
    const before = await dump(ledger);
    expect(await retain(ledger)).toMatchObject({ conversations: 0, receipts: 0 });
    expect(await dump(ledger)).toBe(before);
    const registry = new TenantRegistry(ledger.newProcess().table, ledger.clock);
    await registry.setRetention("tenant", null);
    ledger.now += 400 * DAY;
    expect(await retain(ledger)).toMatchObject({ conversations: 0 });
  });

  test("leaves a chain's newest receipt, and what is not sealed yet, whatever its age", async () => {
    const ledger = await stack.newLedger({ isSigned: false });
    const caller = await ledger.newTenant("tenant");
    const process = ledger.newProcess();
    await new TenantRegistry(process.table, ledger.clock).setRetention("tenant", MONTHS);
    for (const call of ["a", "b"]) await process.attest(caller, requestOf(call));
    ledger.now += 200 * DAY;
    expect(await retain(ledger)).toMatchObject({ conversations: 0 });
    await process.seal();
    expect(await retain(ledger)).toMatchObject({ conversations: 1, receipts: 1 });
    await process.attest(caller, requestOf("b"));
    expect((await process.interaction(caller, "b")).receipts).toHaveLength(2);
  });

  test("counts what was removed as older than the month", async () => {
    const { ledger, caller } = await newWorld();
    await retain(ledger);
    const { table } = ledger.newProcess();
    const faults: unknown[] = [];
    const growth = new TenantGrowth(
      { table, clock: ledger.clock, onFault: (error) => faults.push(error) },
      monthOf(ledger.clock()),
    );
    growth.list(caller.chainIds);
    await growth.read();
    await growth.narrow(1);
    expect([growth.atMost, growth.atLeast, faults]).toEqual([0, 0, []]);
  });

  test("leaves a conversation alone whose erasure was begun, and counts it, until the erasure is repeated", async () => {
    const { ledger } = await newWorld();
    const { table } = ledger.newProcess();
    const order = {
      tenantId: "tenant",
      interactionId: "old-1",
      erased_by: "officer",
      ground: "request",
    } as const;
    const [interaction_id, erased_at] = [`erased:${"a".repeat(26)}`, ledger.clock().toISOString()];
    const erasure = { erased_at, erased_by: order.erased_by, ground: order.ground, interaction_id };
    const begun = await readConversation(table, conversationPartition("tenant", "old-1"));
    if (begun === null) expect.unreachable();
    await closeConversation(table, begun, canonicalize({ kind: "erasure", erasure }));
    for (const isDryRun of [true, false])
      expect(await retain(ledger, { isDryRun })).toMatchObject({ conversations: 1, skipped: 1 });
    expect(await dump(ledger)).toContain("old-1");
    expect(await erase(table, order)).toEqual({ erasure, receipts: 2 });
    expect(await retain(ledger)).toMatchObject({ conversations: 1, receipts: 2, skipped: 0 });
  });

  test("goes on where it was cut off", async () => {
    const { ledger } = await newWorld();
    await cutOff(ledger, 2);
    await retain(ledger);
    expect(await dump(ledger)).not.toContain("old-");
  });

  test("is overdue where a tenant is older than its retention, and no run has ended for 40 days", async () => {
    const { ledger } = await newWorld();
    const { table } = ledger.newProcess();
    const overdue = async () =>
      isRetentionOverdue(table, await new TenantRegistry(table, ledger.clock).list());
    expect(await overdue()).toBe(true);
    await retain(ledger, { isDryRun: true });
    await retain(ledger, { isResumable: false });
    await cutOff(ledger, 0);
    expect(await overdue()).toBe(true);
    await retain(ledger);
    expect(await overdue()).toBe(false);
    ledger.now += 40 * DAY;
    expect(await overdue()).toBe(false);
    ledger.now += 1;
    await cutOff(ledger, 0);
    expect(await overdue()).toBe(true);
    expect(
      await isRetentionOverdue(table, [{ createdAt: new Date(0).toISOString(), retentionMonths: null }]),
    ).toBe(false);
    const young = { createdAt: ledger.clock().toISOString(), retentionMonths: MONTHS };
    expect(await isRetentionOverdue(table, [young])).toBe(false);
  });

  test.each([
    ["2026-11-22T10:00:00.000Z", 3, "2026-08-01T00:00:00.000Z"],
    ["2026-01-01T00:00:00.000Z", 12, "2025-01-01T00:00:00.000Z"],
    ["2028-02-29T23:59:59.999Z", 240, "2008-02-01T00:00:00.000Z"],
  ])("at %s with %i months begins at %s", (now, months, cutoff) => {
    expect(cutoffOf(new Date(now), months)).toBe(cutoff);
  });

  test("takes no number of months below 3 or above 240", async () => {
    const ledger = await stack.newLedger({ isSigned: false });
    await ledger.newTenant("tenant");
    const registry = new TenantRegistry(ledger.newProcess().table, ledger.clock);
    for (const months of [2, 241, 3.5])
      await expect(registry.setRetention("tenant", months)).rejects.toMatchObject({
        code: "invalid_request",
      });
  });
});
