// Appends the heads of the chains that have news to the metachain, which is a log like every chain.
import { randomUUID } from "node:crypto";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { type ChainHead, hashChainHead } from "../../evidence/core/formats/metachain.ts";
import { formatNode } from "../../evidence/core/merkle/hash.ts";
import { appendLeaf, rootAt } from "../../evidence/core/merkle/merkle-tree.ts";
import { readChainLeaf } from "../ledger/chain-leaf.ts";
import { Log } from "../ledger/log.ts";
import { metachainEntryItem, readMetachainHead } from "../seals/metachain-entry.ts";
import { spanItem } from "../seals/span.ts";
import { backoff } from "../table/backoff.ts";
import { SharedReads } from "../table/shared-reads.ts";
import { MAX_TRANSACTION_ITEMS, type Table } from "../table/table.ts";
import { type PublishedTree, requireExtension, type SealReading } from "./chain-continuity.ts";
import { asDamage, type Damage } from "./damaged-chains.ts";
import type { KnownSpans } from "./known-spans.ts";

/** A metachain entry and the span item of its chain. */
const ITEMS_PER_HEAD = 2;
const HEADS_PER_TRANSACTION = MAX_TRANSACTION_ITEMS / ITEMS_PER_HEAD;
/** The most plans of one chunk, where other runs keep being faster. */
const MAX_CHUNK_TRIES = 10;

/** A chain's head, and the size up to which the metachain had it before. */
interface UnsealedHead {
  readonly head: ChainHead;
  readonly sealedSize: number;
  /** When the newest of its receipts was issued, RFC 3339. */
  readonly issuedAt: string;
}

/** A chunk of chains whose heads are in the metachain now, but for the damaged ones. */
export interface AppendedChunk {
  readonly chainIds: readonly string[];
  /** One damaged chain must not keep all others from being sealed. */
  readonly damages: readonly Damage[];
  /** When the newest receipts of the heads were issued, RFC 3339. */
  readonly issuedAt: readonly string[];
}

/**
 * Reads and appends chunk by chunk, so that a run which is cut off has done what it read. Safe to repeat and to overlap:
 * a span item exists once for each (chain, size where it begins). Each chunk is read while the one before is written.
 */
export async function* appendHeads(
  { table, spans }: { readonly table: Table; readonly spans: KnownSpans },
  chainIds: readonly string[],
  published: PublishedTree,
): AsyncGenerator<AppendedChunk> {
  const chunkFrom = (start: number): Promise<ReadChunk> => {
    const reading = { table, spans, leaves: new SharedReads(table), published };
    return readChunk(reading, chainIds.slice(start, start + HEADS_PER_TRANSACTION));
  };
  let next = chunkFrom(0);
  for (let start = 0; start < chainIds.length; start += HEADS_PER_TRANSACTION) {
    const { chunk, reading, heads, damages } = await next;
    next = chunkFrom(start + HEADS_PER_TRANSACTION);
    // A run that ends before it needs them is not told that they failed.
    next.catch(() => {});
    // A crash between two chunks leaves whole chunks: the next run finds the rest still unsealed.
    await appendChunk(reading, heads);
    yield { chainIds: chunk, damages, issuedAt: heads.map(({ issuedAt }) => issuedAt) };
  }
}

/** The sources that the heads of a chunk are read from. */
interface HeadReading extends SealReading {
  readonly spans: KnownSpans;
}

/** The heads of a chunk, and what more of them is read with. */
interface ReadChunk extends UnsealedHeads {
  readonly chunk: readonly string[];
  readonly reading: HeadReading;
}

async function readChunk(reading: HeadReading, chunk: readonly string[]): Promise<ReadChunk> {
  return { chunk, reading, ...(await readUnsealedHeads(reading, chunk)) };
}

interface UnsealedHeads {
  readonly heads: readonly UnsealedHead[];
  readonly damages: readonly Damage[];
}

/** All at the same time, so that they share their reads. */
async function readUnsealedHeads(reading: HeadReading, chainIds: readonly string[]): Promise<UnsealedHeads> {
  const read = await Promise.all(
    chainIds.map((chainId) =>
      readUnsealedHead(reading, chainId).catch((error: unknown) => {
        // Once the chain is repaired, it is judged by what the table has of it.
        reading.spans.forget(chainId);
        return asDamage(chainId, error);
      }),
    ),
  );
  const damages = read.filter(isDamage);
  return { heads: read.filter(isHead), damages };
}

type ChainState = UnsealedHead | Damage | null;
const isHead = (state: ChainState): state is UnsealedHead => state !== null && "head" in state;
const isDamage = (state: ChainState): state is Damage => state !== null && "error" in state;

async function readUnsealedHead(reading: HeadReading, chainId: string): Promise<UnsealedHead | null> {
  const { table, spans } = reading;
  // The span is read once and first: a run that seals the chain meanwhile makes it longer, never shorter.
  const span = await spans.newest(table, chainId);
  const newest = await new Log(table, chainId).newest();
  if (newest === null) return span === null ? null : refuseEmpty();
  // The whole receipt is read: a seal can't be taken back, so it must not cover a leaf that is not its receipt's.
  const { leaf, core } = readChainLeaf(newest);
  if (span !== null) await requireExtension(reading, { chainId, span, head: leaf });
  const sealedSize = span?.treeSize ?? 0;
  if (leaf.leafIndex < sealedSize) return null;
  // Two runs may take the same number: both would continue the same span, whose key only one of them can take.
  const head_index = span === null ? 0 : span.headIndex + 1;
  const root = formatNode(rootAt(leaf));
  const head = { chain_id: chainId, head_index, tree_size: leaf.leafIndex + 1, root };
  return { head, sealedSize, issuedAt: core.issued_at };
}

function refuseEmpty(): never {
  throw new DisclosureError("ledger_corrupt", "a chain that was sealed is empty");
}

async function appendChunk(reading: HeadReading, chunk: readonly UnsealedHead[]): Promise<void> {
  let heads = chunk;
  for (let attempt = 0; heads.length > 0; attempt++) {
    if (attempt === MAX_CHUNK_TRIES) throw new DisclosureError("ledger_contended", "other runs kept winning");
    if (await appendOnce(reading, heads)) return;
    await backoff(attempt);
    // Another run may have sealed a chain up to an older head than ours: only a new look shows what is left.
    for (const { head } of heads) reading.spans.forget(head.chain_id);
    const left = await Promise.all(heads.map(({ head }) => readUnsealedHead(reading, head.chain_id)));
    heads = left.filter((head) => head !== null);
  }
}

/** False where another run was faster, or the table too busy: nothing was written then. */
async function appendOnce({ table, spans }: HeadReading, heads: readonly UnsealedHead[]): Promise<boolean> {
  const newest = await readMetachainHead(table);
  let leaf = newest?.leaf ?? null;
  let total = newest?.receiptsTotal ?? 0;
  const appended = heads.map(({ head, sealedSize }) => {
    leaf = appendLeaf(leaf, hashChainHead(head));
    total += head.tree_size - sealedSize;
    const { head_index: headIndex, tree_size: treeSize } = head;
    const span = { headIndex, fromSize: sealedSize, treeSize, leafIndex: leaf.leafIndex };
    return { chainId: head.chain_id, span, entry: metachainEntryItem(head, leaf, total) };
  });
  const writes = appended.flatMap(({ chainId, span, entry }) => [
    { insert: spanItem(chainId, span) },
    { insert: entry },
  ]);
  const { kind } = await table.transact(writes, randomUUID());
  if (kind !== "committed") return false;
  for (const { chainId, span } of appended) spans.remember(chainId, span);
  return true;
}
