// Appends the heads of the chains that have news to the metachain, which is a log like every chain.
import { randomUUID } from "node:crypto";
import { DisclosureError, isDisclosureError } from "../../core/errors.ts";
import { type ChainHead, hashChainHead } from "../../core/formats/metachain.ts";
import { formatNode } from "../../core/merkle/hash.ts";
import { appendLeaf, rootAt } from "../../core/merkle/merkle-tree.ts";
import { readChainLeaf } from "../ledger/chain-leaf.ts";
import { Log } from "../ledger/log.ts";
import { backoff } from "../table/backoff.ts";
import { mapInGroups } from "../table/in-groups.ts";
import { MAX_TRANSACTION_ITEMS, type Table } from "../table/table.ts";
import { type PublishedTree, requireExtension } from "./chain-continuity.ts";
import { metachainEntryItem, readMetachainHead } from "./metachain-entry.ts";
import { readNewestSpan, spanItem } from "./span.ts";

/** A metachain entry and the span item of its chain. */
const ITEMS_PER_HEAD = 2;
const HEADS_PER_TRANSACTION = MAX_TRANSACTION_ITEMS / ITEMS_PER_HEAD;
/** The most chains that are read at the same time. */
const READ_CONCURRENCY = 16;
/** The most plans of one chunk, where other runs keep being faster. */
const MAX_CHUNK_TRIES = 10;

/** A chain's head, and the size up to which the metachain had it before. */
interface UnsealedHead {
  readonly head: ChainHead;
  readonly sealedSize: number;
}

/**
 * Safe to repeat and to overlap: a span item exists once for each (chain, size where it begins). Returns the errors of
 * chains that could not be read: one damaged chain must not keep all others from being sealed.
 */
export async function appendHeads(
  table: Table,
  chainIds: readonly string[],
  published: PublishedTree,
): Promise<DisclosureError[]> {
  const { heads, damages } = await readUnsealedHeads(table, chainIds, published);
  for (let start = 0; start < heads.length; start += HEADS_PER_TRANSACTION) {
    // A crash between two chunks leaves whole chunks: the next run finds the rest still unsealed.
    await appendChunk(table, heads.slice(start, start + HEADS_PER_TRANSACTION), published);
  }
  return damages;
}

interface UnsealedHeads {
  readonly heads: readonly UnsealedHead[];
  readonly damages: DisclosureError[];
}

async function readUnsealedHeads(
  table: Table,
  chainIds: readonly string[],
  published: PublishedTree,
): Promise<UnsealedHeads> {
  const read = await mapInGroups(chainIds, READ_CONCURRENCY, (chainId) =>
    readUnsealedHead(table, chainId, published).catch(asDamage),
  );
  const damages = read.filter((result) => result instanceof DisclosureError);
  return { heads: read.filter(isHead), damages };
}

const isHead = (result: UnsealedHead | DisclosureError | null): result is UnsealedHead =>
  result !== null && !(result instanceof DisclosureError);

function asDamage(error: unknown): DisclosureError {
  if (isDisclosureError(error, "ledger_corrupt")) return error;
  throw error;
}

async function readUnsealedHead(
  table: Table,
  chainId: string,
  published: PublishedTree,
): Promise<UnsealedHead | null> {
  // The span is read once and first: a run that seals the chain meanwhile makes it longer, never shorter.
  const span = await readNewestSpan(table, chainId);
  const newest = await new Log(table, chainId).newest();
  if (newest === null) return span === null ? null : refuseEmpty();
  // The whole receipt is read: a seal can't be taken back, so it must not cover a leaf that is not its receipt's.
  const { leaf } = readChainLeaf(newest);
  if (span !== null) await requireExtension(table, published, { chainId, span, head: leaf });
  const sealedSize = span?.treeSize ?? 0;
  if (leaf.leafIndex < sealedSize) return null;
  const head = { chain_id: chainId, tree_size: leaf.leafIndex + 1, root: formatNode(rootAt(leaf)) };
  return { head, sealedSize };
}

function refuseEmpty(): never {
  throw new DisclosureError("ledger_corrupt", "a chain that was sealed is empty");
}

async function appendChunk(
  table: Table,
  chunk: readonly UnsealedHead[],
  published: PublishedTree,
): Promise<void> {
  let heads = chunk;
  for (let attempt = 0; heads.length > 0; attempt++) {
    if (attempt === MAX_CHUNK_TRIES) throw new DisclosureError("ledger_contended", "other runs kept winning");
    if (await appendOnce(table, heads)) return;
    await backoff(attempt);
    // Another run may have sealed a chain up to an older head than ours: only a new look shows what is left.
    const left = await Promise.all(
      heads.map(({ head }) => readUnsealedHead(table, head.chain_id, published)),
    );
    heads = left.filter((head) => head !== null);
  }
}

/** False where another run was faster, or the table too busy: nothing was written then. */
async function appendOnce(table: Table, heads: readonly UnsealedHead[]): Promise<boolean> {
  const newest = await readMetachainHead(table);
  let leaf = newest?.leaf ?? null;
  let total = newest?.receiptsTotal ?? 0;
  const writes = heads.flatMap(({ head, sealedSize }) => {
    leaf = appendLeaf(leaf, hashChainHead(head));
    total += head.tree_size - sealedSize;
    const span = { fromSize: sealedSize, treeSize: head.tree_size, leafIndex: leaf.leafIndex };
    return [{ insert: spanItem(head.chain_id, span) }, { insert: metachainEntryItem(head, leaf, total) }];
  });
  return (await table.transact(writes, randomUUID())).kind === "committed";
}
