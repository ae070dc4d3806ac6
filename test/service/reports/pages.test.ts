// The pages of a conversation: how long they get, and that together they are the conversation.
import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { bundleEvidenceSchema } from "../../../core/formats/evidence.ts";
import type { EvidenceBundle } from "../../../core/formats/evidence-bundle.ts";
import { hashChainHead, PENDING_TIMESTAMP, type TsaTimestamp } from "../../../core/formats/metachain.ts";
import { formatNode } from "../../../core/merkle/hash.ts";
import { appendLeaf, buildConsistencyPath, rootAt, type TreeLeaf } from "../../../core/merkle/merkle-tree.ts";
import { verifyBundle } from "../../../core/verify/verify-bundle.ts";
import { readEntry } from "../../../service/ledger/log.ts";
import { BundlePage, MAX_PAGE_BYTES, MAX_PAGE_TURNS } from "../../../service/reports/bundle-page.ts";
import { metachainEntryItem } from "../../../service/seals/metachain-entry.ts";
import { type SealedTree, sealItem } from "../../../service/seals/seal-item.ts";
import { spanItem } from "../../../service/seals/span.ts";
import type { Item } from "../../../service/table/item.ts";
import { logPartition } from "../../../service/table/keys.ts";
import type { Table } from "../../../service/table/table.ts";
import type { Caller } from "../../../service/tenants/tenants.ts";
import { startLedgerStack } from "../../support/ledger-stack.ts";
import { attestTurns, requestOf, type TestProcess } from "../../support/test-process.ts";
import { ascending } from "../../support/trees.ts";

const TOKEN_BYTES = 6_000;
/** A transaction holds 4 MB. */
const SEALS_PER_TRANSACTION = 8;
/** What a synchronous call of a Lambda function may answer. */
const LAMBDA_ANSWER_BYTES = 6_291_556;

const stack = await startLedgerStack();
afterAll(stack.close);

const token = (): TsaTimestamp => ({
  status: "included",
  timestamp_token: randomBytes(TOKEN_BYTES).toString("base64"),
  tsa_url: "https://tsa.test",
  covers: "merkle_root",
});

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Seals every leaf of the chain by itself, as a sealer does that runs after each receipt: past S3, and faster. */
async function sealEach(table: Table, chainId: string, laterTokens: number): Promise<void> {
  const items = await table.query({ partition: logPartition(chainId) });
  const entries: TreeLeaf[] = [];
  const written: Item[] = [];
  let previous: SealedTree | null = null;
  for (const { leaf } of items.map(readEntry)) {
    const { leafIndex } = leaf;
    const headIndex = leafIndex;
    const root = formatNode(rootAt(leaf));
    const head = { chain_id: chainId, head_index: headIndex, tree_size: leafIndex + 1, root };
    const entry = appendLeaf(entries.at(-1) ?? null, hashChainHead(head));
    entries.push(entry);
    previous = nextTree(entry, entries, previous);
    const seal = { ...previous, tsa_timestamp: token(), additional_timestamps: [token()] };
    const later = ascending(laterTokens, token);
    written.push(
      spanItem(chainId, { headIndex, fromSize: leafIndex, treeSize: leafIndex + 1, leafIndex }),
      metachainEntryItem(head, entry, leafIndex + 1),
      {
        ...sealItem(previous, leafIndex + 1),
        text: { S: JSON.stringify(seal) },
        published: { BOOL: true },
        ...(later.length > 0 && { later: { S: JSON.stringify(later) } }),
      },
    );
  }
  const width = 3 * SEALS_PER_TRANSACTION;
  for (let start = 0; start < written.length; start += width) {
    const writes = written.slice(start, start + width).map((insert) => ({ insert }));
    expect(await table.transact(writes, randomUUID())).toEqual({ kind: "committed" });
  }
}

function nextTree(entry: TreeLeaf, entries: readonly TreeLeaf[], previous: SealedTree | null): SealedTree {
  const size = entry.leafIndex + 1;
  const at = (index: number): TreeLeaf => entries[index] ?? expect.unreachable();
  const path = previous === null ? [] : buildConsistencyPath(previous.tree_size, size, at);
  return {
    index: entry.leafIndex,
    merkle_root: formatNode(rootAt(entry)),
    tree_size: size,
    previous_root: previous?.merkle_root ?? null,
    previous_tree_size: previous?.tree_size ?? 0,
    consistency_path: path.map(formatNode),
    receipt_count: 1,
    sealed_at: "2026-11-21T12:00:00.000Z",
  };
}

async function newWorld(turns: number, laterTokens = 0) {
  const ledger = await stack.newLedger({ isSigned: false });
  const caller = await ledger.newTenant("tenant");
  const process = ledger.newProcess();
  await attestTurns(process, caller, turns);
  await sealEach(process.table, caller.chainIds[0] ?? "", laterTokens);
  return { ledger, caller, process };
}

async function readPages(process: TestProcess, caller: Caller): Promise<EvidenceBundle[]> {
  const pages: EvidenceBundle[] = [];
  for (let next: number | null = 1; next !== null; next = pages.at(-1)?.next_turn ?? null) {
    const page = await process.interaction(caller, "call", next);
    expect(page.receipts[0]?.turn).toBe(next);
    pages.push(page);
  }
  return pages;
}

/** All but the tokens, which are random bytes here. */
async function isValid({ later_timestamps: _later, ...page }: EvidenceBundle): Promise<boolean> {
  const unstamped = { tsa_timestamp: PENDING_TIMESTAMP, additional_timestamps: [] };
  const seals = page.seals.map((seal) => ({ ...seal, ...unstamped }));
  const bundle = JSON.parse(JSON.stringify({ ...page, seals }));
  return (await verifyBundle(bundleEvidenceSchema.parse(bundle))).valid;
}

describe("a conversation of 500 turns under 500 seals with two tokens of 6,000 bytes each", () => {
  test("comes in pages below 4 MiB, which together are the conversation", async () => {
    const { process, caller } = await newWorld(MAX_PAGE_TURNS);
    const pages = await readPages(process, caller);
    for (const page of pages) {
      expect(bytesOf(page)).toBeLessThan(MAX_PAGE_BYTES);
      // As API Gateway gets it: a string in JSON.
      expect(bytesOf({ statusCode: 200, body: JSON.stringify(page) })).toBeLessThan(LAMBDA_ANSWER_BYTES);
      expect(page.seals.map(({ index }) => index)).toEqual(page.receipts.map(({ turn }) => turn - 1));
      expect(await isValid(page)).toBe(true);
    }
    expect(pages.flatMap(({ receipts }) => receipts.map(({ turn }) => turn))).toEqual(
      ascending(MAX_PAGE_TURNS, (i) => i + 1),
    );
    // Three, and each but the last as full as it may be.
    expect(pages).toHaveLength(3);
    const longest = Math.max(...pages.flatMap(({ seals }) => seals.map(bytesOf))) + 6_000;
    for (const page of pages.slice(0, -1)) expect(bytesOf(page)).toBeGreaterThan(MAX_PAGE_BYTES - longest);
  });
});

test("tokens that came later count, and the same page is the same for every reader", async () => {
  const { ledger, process, caller } = await newWorld(40, 16);
  const pages = await readPages(process, caller);
  expect(pages.length).toBeGreaterThan(1);
  for (const page of pages) {
    expect(bytesOf(page)).toBeLessThan(MAX_PAGE_BYTES);
    expect(page.later_timestamps).toHaveLength(16 * page.receipts.length);
  }
  expect(await readPages(ledger.newProcess(), caller)).toEqual(pages);
  // A page begins with the path from the head of the turn before, so the pages together lack none.
  const paths = pages.flatMap(({ chain_consistency = [] }) => chain_consistency);
  expect(paths.map(({ from_size, to_size }) => [from_size, to_size])).toEqual(
    ascending(39, (i) => [i + 1, i + 2]),
  );
});

describe("a page", () => {
  /** A turn whose request has about this many bytes. */
  const turnOf = async (turn: number, bytes: number, published: [] = []) => {
    const ledger = await stack.newLedger({ isSigned: false });
    const caller = await ledger.newTenant("tenant");
    const report = await ledger.newProcess().attest(caller, requestOf("call"));
    const [receipt] = report.receipts;
    if (receipt === undefined) throw new Error("no receipt");
    const request = requestOf("call", { agent_identity: "ü".repeat(bytes / 2) });
    return { receipt: { ...receipt, turn }, request, report, published };
  };

  test("takes its first turn however long that is, and no other after it", async () => {
    const page = new BundlePage("call");
    const turn = await turnOf(1, 2 * MAX_PAGE_BYTES);
    expect([page.add(turn), page.add(await turnOf(2, 2)), page.length]).toEqual([true, false, 1]);
  });

  test("counts bytes, not characters", async () => {
    const page = new BundlePage("call");
    const turn = await turnOf(1, MAX_PAGE_BYTES / 2);
    expect([page.add(turn), page.add(turn), page.length]).toEqual([true, false, 1]);
  });
});
