// The console's list of receipts: over all tenants and chains, newest first, page by page, each receipt once.
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import {
  CONSOLE_PAGE_RECEIPTS,
  type ConsoleReceiptPage,
  consoleReceiptPageSchema,
} from "../../../contract/console.ts";
import { formatEventId } from "../../../evidence/core/formats/event-id.ts";
import { hashReceiptCore } from "../../../evidence/core/formats/receipt.ts";
import { chainIdOf } from "../../../evidence/core/formats/tenant-anchor.ts";
import { HASH_BYTES } from "../../../evidence/core/merkle/hash.ts";
import { leftPathLength } from "../../../evidence/core/merkle/merkle-tree.ts";
import { parseCursor } from "../../../host/console/cursor.ts";
import { Directory } from "../../../host/console/directory.ts";
import { readReceiptPage } from "../../../host/console/receipt-feed.ts";
import { chainLeafItem, readChainLeaf } from "../../../service/ledger/chain-leaf.ts";
import { readEntry } from "../../../service/ledger/log.ts";
import { type ItemKey, leafIndexOf } from "../../../service/table/keys.ts";
import type { PartitionQuery, Table } from "../../../service/table/table.ts";
import type { KnownTenant } from "../../../service/tenants/tenant-registry.ts";
import type { Item } from "../../support/items.ts";
import { CORE } from "../../support/leaf-items.ts";
import { HOUR, type Ledger, MINUTE, SECOND, type TestCaller } from "../../support/ledger-stack.ts";
import { deleteItem, readItem, writeItem } from "../../support/tamper.ts";
import { requestOf } from "../../support/test-process.ts";
import { asking, operatorOf, stack } from "./world.ts";

const pageOf = async (ask: (path: string) => Promise<unknown>, question = ""): Promise<ConsoleReceiptPage> =>
  consoleReceiptPageSchema.parse(await ask(`/console/receipts?${question}`));

/** The receipts of three tenants with four chains, in the order in which they were answered. */
async function newWorld(receipts: number): Promise<{ ledger: Ledger; callers: TestCaller[]; ids: string[] }> {
  const ledger = await stack.newLedger({ isSigned: false });
  const callers = [
    await ledger.newTenant("acme", 2),
    await ledger.newTenant("beta"),
    await ledger.newTenant("gamma"),
  ];
  const process = ledger.newProcess();
  const ids: string[] = [];
  for (let i = 0; i < receipts; i++) {
    // Now and then two receipts have the same time.
    if (i % 3 !== 0) ledger.now += SECOND;
    const caller = callers[i % callers.length];
    if (caller === undefined) continue;
    const { event_id } = await process.attest(caller, requestOf(`call-${i % 7}`));
    ids.push(event_id);
  }
  return { ledger, callers, ids };
}

async function walk(ask: (path: string) => Promise<unknown>, question = ""): Promise<ConsoleReceiptPage[]> {
  const pages = [await pageOf(ask, question)];
  for (let next = pages[0]?.next ?? null; next !== null; next = pages.at(-1)?.next ?? null)
    pages.push(await pageOf(ask, `${question}&before=${encodeURIComponent(next)}`));
  return pages;
}

const RECEIPTS = CONSOLE_PAGE_RECEIPTS * 2 + 7;
const world = await newWorld(RECEIPTS);

test("walks through all chains from the newest receipt to the first, each receipt once", async () => {
  const pages = await walk(asking(operatorOf(world.ledger)));
  const found = pages.flatMap(({ receipts }) => receipts);
  expect(pages).toHaveLength(3);
  expect(found.map(({ event_id }) => event_id).toSorted()).toEqual(world.ids.toSorted());
  const times = found.map(({ issued_at }) => issued_at);
  expect(times).toEqual(times.toSorted().reverse());
});

test("shows what an operator looks for", async () => {
  const { receipts } = await pageOf(asking(operatorOf(world.ledger)), "tenant=beta");
  expect(receipts[0]).toMatchObject({
    tenant: "beta",
    shard: 0,
    verdict: "MODIFY",
    modality: "voice",
    wording_id: null,
    findings: ["wording_unknown"],
  });
  expect(new Set(receipts.map(({ tenant }) => tenant))).toEqual(new Set(["beta"]));
});

test("shows those with a verdict alone, and none where there is none", async () => {
  const ask = asking(operatorOf(world.ledger));
  const [all, none] = [await walk(ask, "verdict=MODIFY"), await walk(ask, "verdict=BLOCK")];
  expect(all.flatMap(({ receipts }) => receipts)).toHaveLength(RECEIPTS);
  expect(none.flatMap(({ receipts }) => receipts)).toEqual([]);
});

test("what is watched is what came in the last minutes, and chains without news are not read", async () => {
  const { ledger, callers } = await newWorld(12);
  ledger.now += HOUR;
  const process = ledger.newProcess();
  const watched = async () => (await pageOf(asking(operatorOf(ledger)), "watch=1")).receipts;
  expect(await watched()).toEqual([]);
  const [, beta] = callers;
  if (beta === undefined) throw new Error("there are three tenants");
  const { event_id } = await process.attest(beta, requestOf("call-new"));
  ledger.now += MINUTE;
  expect((await watched()).map((receipt) => receipt.event_id)).toEqual([event_id]);
  const reader = ledger.newProcess();
  const ask = asking(operatorOf(ledger, reader));
  await pageOf(ask, "watch=1");
  // The list of tenants, the markers, and the size and the receipts of the one chain that grew.
  expect(reader.calls.steps.map(({ name }) => name)).toEqual([
    "Query",
    "BatchGetItem",
    "Query",
    "Query",
    "Query",
  ]);
});

test("a leaf that can't be read or is missing is passed over, and told", async () => {
  const { ledger, callers, ids } = await newWorld(9);
  const chainId = callers[1]?.chainIds[0] ?? "";
  const key = (index: number) => [`chain#${chainId}`, `leaf#${String(index).padStart(16, "0")}`] as const;
  const item = await readItem(ledger, key(1));
  await writeItem(ledger, { ...item, [CORE]: { B: Uint8Array.of(0) } });
  await deleteItem(ledger, key(0));
  const page = await pageOf(asking(operatorOf(ledger)));
  expect(page.damaged).toBe(1);
  expect(page.receipts).toHaveLength(ids.length - 2);
});

const MANY = 100_000;
const ANCHOR = "0".repeat(32);
const TENANT: KnownTenant = {
  tenantId: "many",
  tenantAnchor: ANCHOR,
  chains: 1,
  plan: "test",
  fingerprint: "",
  createdAt: "",
  suspendedAt: null,
  inlineStampsPerMinute: null,
  isPreview: false,
  retentionMonths: null,
};

/** A chain of so many leaves that are made when they are read: one a second, none of which was ever written. */
async function manyLeaves(change: (item: Item) => Item = (item) => item) {
  const { ledger, callers } = await newWorld(4);
  const first = readChainLeaf(
    readEntry(await readItem(ledger, [`chain#${callers[1]?.chainIds[0]}`, `leaf#${"0".repeat(16)}`])),
  );
  const chain_id = chainIdOf(ANCHOR, 0);
  const begun = Date.parse("2039-01-01T00:00:00.000Z");
  const at = (leafIndex: number): Item => {
    const place = { shard: 0, sequence: leafIndex };
    const issued_at = new Date(begun + leafIndex * SECOND).toISOString();
    const core = {
      ...first.core,
      chain_id,
      event_id: formatEventId(chain_id, place),
      issued_at,
      sequence: leafIndex,
    };
    const leftPath = Array.from({ length: leftPathLength(leafIndex) }, () => new Uint8Array(HASH_BYTES));
    const leaf = { leafIndex, leafHash: hashReceiptCore(core), leftPath };
    return change(chainLeafItem({ ...first, leaf, core }, randomUUID()));
  };
  const read = { calls: 0, items: 0 };
  const items = (indices: readonly number[]): Item[] => {
    read.calls++;
    read.items += indices.length;
    return indices.map(at);
  };
  const query = async ({ upTo = "~", limit = 1 }: PartitionQuery) => {
    const end = upTo.startsWith("leaf#") ? leafIndexOf(upTo) : MANY - 1;
    return items(Array.from({ length: Math.min(limit, end + 1) }, (_, i) => end - i));
  };
  const table = Object.assign(Object.create(ledger.newProcess().table), {
    query,
    newest: async () => items([MANY - 1])[0],
    batchGet: async (keys: readonly ItemKey[]) => items(keys.map(({ sk }) => leafIndexOf(sk.S))),
  }) as Table;
  const directory = new Directory({ listWithAnchors: async () => [TENANT] }, ledger.clock);
  return { services: { table, directory, clock: ledger.clock }, read };
}

const QUESTION = { tenant: null, verdict: null, watch: false, before: null };

test("reads no more of a chain with 100,000 receipts than a page needs, wherever the page begins", async () => {
  const { services, read } = await manyLeaves();
  const newest = await readReceiptPage(services, QUESTION);
  expect(newest.receipts[0]?.sequence).toBe(MANY - 1);
  const before = parseCursor(`2039-01-01T12:00:00.000Z~${"0".repeat(32)}~0`);
  const middle = await readReceiptPage(services, { ...QUESTION, before });
  expect(middle.receipts.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: CONSOLE_PAGE_RECEIPTS }, (_, i) => 12 * 60 * 60 - 1 - i),
  );
  expect(read.calls).toBeLessThan(50);
  expect(read.items).toBeLessThan(300);
});

test("gives up on a chain of which retention left nothing but hashes", async () => {
  const { services, read } = await manyLeaves(({ [CORE]: _removed, ...item }) => item);
  const { receipts, next, damaged, removed } = await readReceiptPage(services, QUESTION);
  expect([receipts, next]).toEqual([[], null]);
  expect(damaged + removed).toBeGreaterThan(500);
  expect(read.items).toBeLessThan(1_000);
});
