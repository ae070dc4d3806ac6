// The look that each run has at the chains themselves: what it finds, what it tells, and what it costs.
import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { hashChainHead } from "../../../evidence/core/formats/metachain.ts";
import { hashReceiptCore } from "../../../evidence/core/formats/receipt.ts";
import { appendLeaf } from "../../../evidence/core/merkle/merkle-tree.ts";
import { chainLeafItem, readChainLeaf } from "../../../service/ledger/chain-leaf.ts";
import { Log } from "../../../service/ledger/log.ts";
import { metachainEntryItem } from "../../../service/seals/metachain-entry.ts";
import { minuteOf, newsKey, tenantKey } from "../../../service/table/keys.ts";
import { readChainWindow } from "../../../service/tenants/chain-window.ts";
import type { Interceptor } from "../../support/faults.ts";
import { MINUTE, SECOND, startLedgerStack } from "../../support/ledger-stack.ts";
import { plantSpan, rootOf } from "../../support/planted.ts";
import { deleteItem, readItem, without, writeItem } from "../../support/tamper.ts";
import { requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

/** Two tenants with a sealed chain each and, after half an hour, a receipt of the first whose marker is gone. */
async function newWorld() {
  const ledger = await stack.newLedger({ isSigned: false });
  const [caller, other] = [await ledger.newTenant("tenant"), await ledger.newTenant("other")];
  for (const of of [caller, other]) await ledger.newProcess().attest(of, requestOf("call"));
  await ledger.newProcess().seal();
  ledger.now += 30 * MINUTE;
  await ledger.newProcess().attest(caller, requestOf("call"));
  const { pk, sk } = newsKey(minuteOf(ledger.clock()), caller.chainIds[0] ?? "");
  await deleteItem(ledger, [pk.S, sk.S]);
  return ledger;
}

const refused =
  (name: string): Interceptor =>
  (call, send) =>
    call.name === name ? Promise.reject(new Error("no")) : send();

test.each(["TransactWriteItems", "GetObject"])(
  "a receipt without a marker counts as lag for as long as no run can seal it, for want of %s",
  async (name) => {
    const ledger = await newWorld();
    ledger.now += 20 * MINUTE;
    const process = ledger.newProcess(refused(name));
    await process.seal().catch(() => {});
    expect(process.counted.sealLag).toBe(20 * 60);
  },
);

test("a receipt whose time is still to come waits for it, unless another one waits before it", async () => {
  const ledger = await newWorld();
  const [caller, ahead] = [await ledger.newTenant("first"), await ledger.newTenant("second")];
  await ledger.newProcess().attest(caller, requestOf("before"));
  ledger.now += 60 * MINUTE;
  for (const of of [caller, ahead]) await ledger.newProcess().attest(of, requestOf("ahead"));
  ledger.now -= 60 * MINUTE;
  const { due } = await ledger.newProcess().watch.look();
  expect(due).toContain(caller.chainIds[0]);
  expect(due).not.toContain(ahead.chainIds[0]);
});

test("a receipt that somebody without the key dates ahead hides nothing", async () => {
  const ledger = await stack.newLedger({ isSigned: false });
  const caller = await ledger.newTenant("tenant");
  const chainId = caller.chainIds[0] ?? "";
  await ledger.newProcess().attest(caller, requestOf("call"));
  const process = ledger.newProcess();
  const newest = await new Log(process.table, chainId).newest();
  if (newest === null) throw new Error("the chain is empty");
  const { core, ...rest } = readChainLeaf(newest);
  const ahead = { ...core, issued_at: new Date(ledger.now + 24 * 60 * MINUTE).toISOString() };
  const leaf = appendLeaf(null, hashReceiptCore(ahead));
  await writeItem(ledger, chainLeafItem({ ...rest, core: ahead, leaf }, randomUUID()));
  const { damages } = await process.watch.look();
  expect(damages).toMatchObject([{ chainId, error: { code: "ledger_corrupt" } }]);
});

test("a tenant whose item is damaged keeps no other tenant's chains from being looked at", async () => {
  const ledger = await newWorld();
  const { pk, sk } = tenantKey("other");
  const other = [pk.S, sk.S] as const;
  await writeItem(ledger, without(await readItem(ledger, other), "chains"));
  ledger.now += 30 * SECOND;
  const process = ledger.newProcess();
  expect((await process.seal()).published).toHaveLength(1);
  expect(process.faults).toContainEqual(expect.objectContaining({ code: "ledger_corrupt" }));
});

test("to look at a chain again takes two reads of its own, and one of its tenant", async () => {
  const ledger = await newWorld();
  await ledger.newTenant("with more chains", 20);
  const process = ledger.newProcess();
  await process.watch.look();
  const before = process.calls.steps.length;
  await process.watch.look();
  const counts = Object.groupBy(process.calls.steps.slice(before), ({ name }) => name);
  const chains = 22;
  // The tenants, and of each chain the newest leaf and the newest span, which no run of this process has proven yet.
  expect(counts.Query).toHaveLength(1 + 2 * chains);
  expect(counts.BatchGetItem).toHaveLength(1);
  expect(Object.keys(counts)).toHaveLength(2);
});

describe("receipts that a planted span hides are told by a process that compared the chain's span before", () => {
  async function newCompared() {
    const ledger = await stack.newLedger({ isSigned: false });
    const caller = await ledger.newTenant("tenant");
    const process = ledger.newProcess();
    await process.attest(caller, requestOf("call"));
    for (let run = 0; run < 2; run++) {
      await process.seal();
      ledger.now += 30 * MINUTE;
    }
    await ledger.newProcess().attest(caller, requestOf("call"));
    const chain_id = caller.chainIds[0] ?? "";
    const root = await rootOf(ledger, chain_id);
    return { ledger, process, head: { chain_id, head_index: 1, tree_size: 2, root } };
  }
  const OTHER = { code: "ledger_corrupt", message: "a span leads to an entry of another head" };

  test("where it leads to the same entry", async () => {
    const { ledger, process, head } = await newCompared();
    await plantSpan(ledger, head, { fromSize: 1, leafIndex: 0 });
    await expect(process.seal()).rejects.toMatchObject(OTHER);
    expect(process.counted).toMatchObject({ damagedChains: 1 });
  });

  test("where a published entry was overwritten to fit it", async () => {
    const { ledger, process, head } = await newCompared();
    await plantSpan(ledger, head, { fromSize: 1, leafIndex: 0 });
    const leaf = appendLeaf(null, hashChainHead(head));
    await writeItem(ledger, metachainEntryItem(head, leaf, 2));
    await expect(process.seal()).rejects.toMatchObject(OTHER);
  });
});

test("of more chains than a run looks at, each has its turn", async () => {
  const ledger = await stack.newLedger({ isSigned: false });
  const tenants = await Promise.all([1, 2, 3, 4].map((n) => ledger.newTenant(`tenant ${n}`, n)));
  const { table } = ledger.newProcess();
  const seen = new Set<string>();
  for (let place = 0; place < 16; place++) {
    const random = () => (place + 0.5) / 16;
    const window = { limit: 3, random, onDamaged: () => {} };
    const chainIds = await readChainWindow(table, window);
    expect(new Set(chainIds).size).toBe(3);
    for (const chainId of chainIds) seen.add(chainId);
  }
  const all = tenants.flatMap(({ chainIds }) => chainIds);
  expect(seen).toEqual(new Set(all));
  const whole = { limit: 100, random: () => 0.99, onDamaged: () => {} };
  expect(new Set(await readChainWindow(table, whole))).toEqual(new Set(all));
});
