// The erasure of a conversation's identifiers: what goes, what stays, and when it is refused.
import { afterAll, describe, expect, test } from "vitest";
import { canonicalize } from "../../../evidence/core/canonical-json.ts";
import { LedgerAudit } from "../../../service/audit/ledger-audit.ts";
import { closeConversation, readConversation } from "../../../service/erasure/conversation-turns.ts";
import { erase, foreseeErasure } from "../../../service/erasure/erase.ts";
import { erasureAttribute } from "../../../service/ledger/leaf-states.ts";
import { findByInteraction } from "../../../service/reports/find-receipts.ts";
import { conversationPartition, leafKey, turnKey } from "../../../service/table/keys.ts";
import { TenantRegistry } from "../../../service/tenants/tenant-registry.ts";
import { runWithFault } from "../../support/deaths.ts";
import type { Item } from "../../support/items.ts";
import { MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { requestOf } from "../../support/test-process.ts";
import { CALL, dump, expectErased, newWorld, ORDER, OTHER, type World } from "./erased.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const nobody = async (): Promise<void> => {};

const auditOf = async ({ ledger }: World) => {
  const { table, roots } = ledger.newProcess();
  const scope = { tenantId: null, chainId: null };
  const registry = new TenantRegistry(table, ledger.clock);
  return (await LedgerAudit.begin({ table, roots, macs: null }, registry, scope)).run(() => {});
};

describe("an erasure", () => {
  test("leaves no identifier in the table, every receipt verifies, and a second one changes nothing", async () => {
    const world = await newWorld(stack);
    const { table } = world.ledger.newProcess();
    const result = await erase(table, ORDER);
    expect(result).toMatchObject({ receipts: 3, erasure: { erased_by: ORDER.erased_by, ground: "request" } });
    expect(result.erasure.interaction_id).toMatch(/^erased:[a-z2-7]{26}$/);
    expect(await expectErased(world)).toEqual(result.erasure);
    expect(await auditOf(world)).toMatchObject({ faultCount: 0, receipts: 6, erased: 3, removed: 0 });

    const before = await dump(world.ledger);
    await expect(erase(table, ORDER)).rejects.toMatchObject({ code: "not_found" });
    const again = { ...ORDER, interactionId: result.erasure.interaction_id };
    await expect(erase(table, again)).rejects.toThrow(/^it was erased on .* by data protection officer/);
    expect(await dump(world.ledger)).toBe(before);
  });

  test("shows an operator the turns that are left under the id while it is under way, and none after it", async () => {
    const { ledger } = await newWorld(stack);
    const { table } = ledger.newProcess();
    const services = { table, registry: new TenantRegistry(table, ledger.clock) };
    const find = () => findByInteraction(services, ORDER.tenantId, CALL);
    const begun = await readConversation(table, conversationPartition(ORDER.tenantId, CALL));
    if (begun === null) expect.unreachable();
    const erasure = { erased_at: ledger.clock().toISOString(), erased_by: "officer", ground: "request" };
    const note = { ...erasure, interaction_id: `erased:${"a".repeat(26)}` };
    await closeConversation(table, begun, canonicalize({ kind: "erasure", erasure: note }));
    expect(await find()).toHaveLength(3);
    await erase(table, ORDER);
    await expect(find()).rejects.toMatchObject({ code: "not_found" });
  });

  test("is carried out where somebody noted one by hand, without any", async () => {
    const world = await newWorld(stack);
    const { table } = world.ledger.newProcess();
    const newest = await readConversation(table, conversationPartition(ORDER.tenantId, CALL));
    const { chain_id = "", sequence = 0 } = newest?.newest.core ?? {};
    const erased_at = world.ledger.clock().toISOString();
    const forged = {
      erased_at,
      erased_by: "nobody",
      ground: "request",
      interaction_id: "erased:none",
    } as const;
    await table.update({ key: leafKey(chain_id, sequence), set: erasureAttribute(forged) });
    const { erasure } = await erase(table, ORDER);
    expect(await expectErased(world)).toEqual(erasure);
  });

  test("that ends while somebody reads the conversation leaves that reader nothing, and no damage", async () => {
    const { ledger, caller } = await newWorld(stack);
    const partition = conversationPartition(ORDER.tenantId, CALL);
    const second = turnKey(partition, 2).sk.S;
    let erasing: Promise<unknown> | undefined;
    const reader = ledger.newProcess(async (call, send) => {
      if (call.name !== "Query" || !JSON.stringify(call.input).includes(partition)) return send();
      const { ScanIndexForward } = call.input as { ScanIndexForward?: boolean };
      // The reader sees turns that are moved one after the other; all of them are when it looks for the reason.
      if (ScanIndexForward === false) erasing ??= erase(ledger.newProcess().table, ORDER);
      await erasing;
      const page = (await send()) as { Items?: Item[] };
      return { ...page, Items: page.Items?.filter(({ sk }) => sk?.S !== second) } as never;
    });
    await expect(reader.interaction(caller, CALL)).rejects.toMatchObject({ code: "not_found" });
  });

  test("shows in the report of each receipt, which is else as it was", async () => {
    const world = await newWorld(stack, 1);
    const process = world.ledger.newProcess();
    const reportIt = () => process.report(world.caller, world.eventIds[0] ?? "");
    const { key_id: _k, signature: _s, ...before } = await reportIt();
    const { erasure } = await erase(process.table, ORDER);
    const { interaction_id: _id, ...shown } = erasure;
    expect(await reportIt()).toMatchObject({ ...before, erasure: shown });
  });

  test("that is only foreseen writes nothing", async () => {
    const world = await newWorld(stack);
    const before = await dump(world.ledger);
    const outlook = await foreseeErasure(world.ledger.newProcess().table, ORDER);
    expect(outlook).toMatchObject({ turns: 3, begun: null });
    expect(await dump(world.ledger)).toBe(before);
  });

  test("of a long conversation goes on page by page", async () => {
    const world = await newWorld(stack, 1);
    const { ledger, caller } = world;
    const process = ledger.newProcess();
    await Promise.all(Array.from({ length: 210 }, () => process.attest(caller, requestOf(CALL))));
    ledger.now += 30 * MINUTE;
    let turns = 0;
    const { receipts } = await erase(ledger.newProcess().table, ORDER, () => turns++);
    expect([receipts, turns]).toEqual([211, 211]);
    expect(await dump(ledger)).not.toContain(CALL);
  });

  test("that died before its last turn lets nobody go on, however often a call is repeated", async () => {
    const world = await newWorld(stack, 2);
    const { ledger, caller } = world;
    // The conversation is closed, its second turn is moved, and its first one is not.
    const last = { name: "TransactWriteItems", nth: 3 };
    const dead = "is never made, for the process dies";
    await runWithFault(ledger, last, dead, nobody, ({ table }) => [erase(table, ORDER)]);
    const process = ledger.newProcess();
    for (let call = 0; call < 3; call++) {
      const attesting = process.attest(caller, requestOf(CALL));
      await expect(attesting).rejects.toMatchObject({ code: "ledger_contended" });
    }
    await erase(ledger.newProcess().table, ORDER);
    await expectErased(world);
  });

  test("that is under way withholds no receipt from a repeat of its Idempotency-Key", async () => {
    const { ledger, caller } = await newWorld(stack, 2);
    const first = await ledger.newProcess().attest(caller, requestOf(CALL), "key");
    ledger.now += 30 * MINUTE;
    const dead = "is never made, for the process dies";
    await runWithFault(ledger, { name: "TransactWriteItems", nth: 2 }, dead, nobody, ({ table }) => [
      erase(table, ORDER),
    ]);
    const process = ledger.newProcess();
    const { receipts } = await process.attest(caller, requestOf(CALL), "key");
    expect(receipts).toEqual(first.receipts);
    await expect(process.attest(caller, requestOf(CALL), "new")).rejects.toMatchObject({
      code: "ledger_contended",
    });
  });

  test("is refused while the conversation may go on, and of what was never recorded", async () => {
    const { ledger, caller } = await newWorld(stack);
    const process = ledger.newProcess();
    await process.attest(caller, requestOf(CALL));
    ledger.now += 19 * MINUTE;
    await expect(erase(process.table, ORDER)).rejects.toThrow("may go on");
    const unknown = { ...ORDER, interactionId: "unknown" };
    await expect(erase(process.table, unknown)).rejects.toMatchObject({ code: "not_found" });
    await expect(erase(process.table, { ...ORDER, tenantId: "other" })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

describe("after an erasure", () => {
  test("a call that was planned before it is not written", async () => {
    const world = await newWorld(stack);
    const { ledger, caller } = world;
    const late = ledger.newProcess(async (call, send) => {
      if (call.name === "TransactWriteItems" && call.nth === 1) await erase(ledger.newProcess().table, ORDER);
      return send();
    });
    await expect(late.attest(caller, requestOf(CALL))).rejects.toMatchObject({ code: "ledger_contended" });
    await expectErased(world);
  });

  test("a call that has read its newest turn, and was suspended for half an hour, begins a new one", async () => {
    const world = await newWorld(stack);
    const { ledger, caller } = world;
    const turnIsRead = Promise.withResolvers<void>();
    const suspended = ledger.newProcess(async (call, send) => {
      // The chain's newest leaf and the conversation's newest turn are read side by side.
      if (call.name === "Query" && call.nth === 1) {
        await turnIsRead.promise;
        await erase(ledger.newProcess().table, ORDER);
        ledger.now += 30 * MINUTE;
      }
      const answer = await send();
      if (call.name === "Query" && call.nth === 2) turnIsRead.resolve();
      return answer;
    });
    const { receipts } = await suspended.attest(caller, requestOf(CALL));
    expect(receipts).toMatchObject([{ turn: 1, previous_turn_hash: null }]);
    await ledger.check();
  });

  test("no process goes on with the conversation, and twenty minutes later the id begins a new one", async () => {
    const world = await newWorld(stack, 1);
    const { ledger, caller } = world;
    const [warm, cold] = [ledger.newProcess(), ledger.newProcess()];
    ledger.now -= 30 * MINUTE;
    await warm.attest(caller, requestOf(CALL));
    ledger.now += 30 * MINUTE;
    await erase(ledger.newProcess().table, ORDER);
    for (const process of [warm, cold]) {
      const attesting = process.attest(caller, requestOf(CALL));
      await expect(attesting).rejects.toMatchObject({ code: "ledger_contended" });
    }
    const [closed, open] = await Promise.allSettled([
      cold.attest(caller, requestOf(CALL)),
      cold.attest(caller, requestOf(OTHER)),
    ]);
    expect([closed.status, open.status]).toEqual(["rejected", "fulfilled"]);

    ledger.now += 21 * MINUTE;
    for (const process of [warm, cold, warm, cold]) await process.attest(caller, requestOf(CALL));
    const { receipts, erasures } = await warm.interaction(caller, CALL);
    expect([receipts.map(({ turn }) => turn), erasures]).toEqual([[1, 2, 3, 4], undefined]);
    await ledger.check();
  });

  test("the conversation that began anew under the id can be erased, too", async () => {
    const world = await newWorld(stack);
    const { ledger, caller } = world;
    const { table } = ledger.newProcess();
    const { erasure: first } = await erase(table, ORDER);
    ledger.now += 21 * MINUTE;
    await ledger.newProcess().attest(caller, requestOf(CALL));
    ledger.now += 21 * MINUTE;
    const { erasure: second, receipts } = await erase(table, ORDER);
    expect(receipts).toBe(1);
    expect(second.interaction_id).not.toBe(first.interaction_id);
    expect(await dump(ledger)).not.toContain(CALL);
    await ledger.check();
  });
});
