// Appends the heads of the chains that have news to the metachain, which is a log like every chain.
import { randomUUID } from "node:crypto";
import { DisclosureError } from "../core/errors.ts";
import { formatNode } from "../core/hash.ts";
import { appendLeaf, rootAt, type TreeLeaf } from "../core/merkle-tree.ts";
import { type ChainHead, hashChainHead } from "../core/metachain.ts";
import { backoff } from "./backoff.ts";
import { METACHAIN_ID, sealedPartition, spanKey } from "./keys.ts";
import { integerOf, Log, leafAttributes, textOf } from "./log.ts";
import { CONDITION_FAILED, type Item, MAX_TRANSACTION_ITEMS, type Table } from "./table.ts";

/** A metachain entry and the span item of its chain. */
const ITEMS_PER_HEAD = 2;
const HEADS_PER_TRANSACTION = MAX_TRANSACTION_ITEMS / ITEMS_PER_HEAD;
/** How many chains are read side by side. */
const READ_CONCURRENCY = 16;
/** How often a chunk is planned again because another run was faster. */
const MAX_CHUNK_TRIES = 10;

/** A chain's head, and the size up to which the metachain had it before. */
interface UnsealedHead {
  readonly head: ChainHead;
  readonly sealedSize: number;
}

/** Safe to repeat and to overlap: a span item exists once for each (chain, size where it begins). */
export async function appendHeads(table: Table, chainIds: readonly string[]): Promise<void> {
  const unsealed = await readUnsealedHeads(table, chainIds);
  for (let start = 0; start < unsealed.length; start += HEADS_PER_TRANSACTION) {
    // A crash between two chunks leaves whole chunks: the next run finds the rest still unsealed.
    await appendChunk(table, unsealed.slice(start, start + HEADS_PER_TRANSACTION));
  }
}

async function readUnsealedHeads(table: Table, chainIds: readonly string[]): Promise<UnsealedHead[]> {
  const found: UnsealedHead[] = [];
  for (let start = 0; start < chainIds.length; start += READ_CONCURRENCY) {
    const group = chainIds.slice(start, start + READ_CONCURRENCY);
    const heads = await Promise.all(group.map((chainId) => readUnsealedHead(table, chainId)));
    found.push(...heads.filter((head) => head !== null));
  }
  return found;
}

async function readUnsealedHead(table: Table, chainId: string): Promise<UnsealedHead | null> {
  const [span, newest] = await Promise.all([
    table.newest(sealedPartition(chainId)),
    new Log(table, chainId).newest(),
  ]);
  const sealedSize = span === null ? 0 : integerOf(span, "tree_size");
  if (newest === null || newest.leaf.leafIndex < sealedSize) return null;
  const head = {
    chain_id: chainId,
    tree_size: newest.leaf.leafIndex + 1,
    root: formatNode(rootAt(newest.leaf)),
  };
  return { head, sealedSize };
}

async function appendChunk(table: Table, chunk: readonly UnsealedHead[]): Promise<void> {
  let heads = chunk;
  for (let attempt = 0; heads.length > 0; attempt++) {
    if (attempt === MAX_CHUNK_TRIES) throw new DisclosureError("ledger_contended", "other runs kept winning");
    if (attempt > 0) await backoff(attempt);
    heads = await appendOnce(table, heads);
  }
}

/** Returns the heads that are still to be appended: none, or those that no other run has taken meanwhile. */
async function appendOnce(table: Table, heads: readonly UnsealedHead[]): Promise<readonly UnsealedHead[]> {
  const newest = await new Log(table, METACHAIN_ID).newest();
  let leaf = newest?.leaf ?? null;
  let total = newest === null ? 0 : integerOf(newest.item, "receipts_total");
  const writes = heads.flatMap(({ head, sealedSize }) => {
    leaf = appendLeaf(leaf, hashChainHead(head));
    total += head.tree_size - sealedSize;
    return [
      table.putIf(spanItem(head, sealedSize, leaf), "attribute_not_exists(pk)"),
      table.putIf(entryItem(head, leaf, total), "attribute_not_exists(pk)"),
    ];
  });
  const outcome = await table.transact(writes, randomUUID());
  if (outcome.kind === "committed") return [];
  if (outcome.kind === "throttled") return heads;
  return heads.filter((_, i) => outcome.refusals[i * ITEMS_PER_HEAD]?.code !== CONDITION_FAILED);
}

const spanItem = (head: ChainHead, sealedSize: number, leaf: TreeLeaf): Item => ({
  ...spanKey(sealedPartition(head.chain_id), sealedSize),
  from_size: { N: String(sealedSize) },
  tree_size: { N: String(head.tree_size) },
  leaf_index: { N: String(leaf.leafIndex) },
});

const entryItem = (head: ChainHead, leaf: TreeLeaf, total: number): Item => ({
  ...leafAttributes(METACHAIN_ID, leaf),
  chain_id: { S: head.chain_id },
  tree_size: { N: String(head.tree_size) },
  root: { S: head.root },
  // Receipts under all entries up to this one, so that a seal knows its own count without reading its entries.
  receipts_total: { N: String(total) },
});

/** The chain head that a metachain entry commits to. */
export const readChainHead = (item: Item): ChainHead => ({
  chain_id: textOf(item, "chain_id"),
  tree_size: integerOf(item, "tree_size"),
  root: textOf(item, "root"),
});
