// Appends the heads of the chains that have news to the metachain, which is a log like every chain.
import { randomUUID } from "node:crypto";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { type ChainHead, hashChainHead } from "../../evidence/core/formats/metachain.ts";
import { formatNode } from "../../evidence/core/merkle/hash.ts";
import { appendLeaf, rootAt } from "../../evidence/core/merkle/merkle-tree.ts";
import type { Macs } from "../ledger/macs.ts";
import { metachainEntryItem, readMetachainHead } from "../seals/metachain-entry.ts";
import { readNewestSpan, type Span, spanItem } from "../seals/span.ts";
import { backoff } from "../table/backoff.ts";
import { SharedReads } from "../table/shared-reads.ts";
import { MAX_TRANSACTION_ITEMS, type Table } from "../table/table.ts";
import {
  findLaterEntry,
  isPublished,
  readSealedRoot,
  requireSealedRoot,
  type SealReading,
  type WalkedPart,
  walkChain,
  withoutSpan,
} from "./chain-continuity.ts";
import { asDamage, type Damage } from "./damaged-chains.ts";
import type { KnownHead, KnownHeads } from "./known-heads.ts";
import type { PublishedEntries, PublishedTree } from "./published-entries.ts";

/** A metachain entry and the span item of its chain. */
const ITEMS_PER_HEAD = 2;
const HEADS_PER_TRANSACTION = MAX_TRANSACTION_ITEMS / ITEMS_PER_HEAD;
/** The most plans of one chunk, where other runs keep being faster. */
const MAX_CHUNK_TRIES = 10;
/** The most receipts that one head takes in: a chain that waited for long is sealed in several, each of which is kept. */
export const MAX_RECEIPTS_PER_HEAD = 4_000;

/** A chain's head, and the one that the metachain had before. */
interface UnsealedHead {
  readonly head: ChainHead;
  readonly after: Span | null;
  /** When the newest of its receipts was issued, RFC 3339. */
  readonly issuedAt: string;
}

/** A chunk of chains whose heads are in the metachain now, but for the damaged ones. */
export interface AppendedChunk {
  readonly chainIds: readonly string[];
  /** False where some of the chains have more receipts, and follow in the next chunk again. */
  readonly isWhole: boolean;
  /** One damaged chain must not keep all others from being sealed. */
  readonly damages: readonly Damage[];
  /** When the newest receipts of the heads were issued, RFC 3339. */
  readonly issuedAt: readonly string[];
}

export interface HeadServices {
  readonly table: Table;
  readonly heads: KnownHeads;
  readonly macs: Macs;
  readonly publishedEntries: PublishedEntries;
}

/**
 * Reads and appends chunk by chunk, so that a run which is cut off has done what it read. Safe to repeat and to overlap:
 * a span item exists once for each (chain, size where it begins). Each chunk is read while the one before is written.
 */
export async function* appendHeads(
  services: HeadServices,
  chainIds: readonly string[],
  published: PublishedTree,
): AsyncGenerator<AppendedChunk> {
  const read = (chunk: readonly string[]): Promise<ReadChunk> => {
    const reading = { ...services, leaves: new SharedReads(services.table), published };
    return readChunk(reading, chunk);
  };
  const chunkFrom = (start: number) => read(chainIds.slice(start, start + HEADS_PER_TRANSACTION));
  let next = chunkFrom(0);
  for (let start = 0; start < chainIds.length; start += HEADS_PER_TRANSACTION) {
    let current = await next;
    next = chunkFrom(start + HEADS_PER_TRANSACTION);
    // A run that ends before it needs them is not told that they failed.
    next.catch(() => {});
    for (;;) {
      const { chunk, reading, heads, damages } = current;
      // A crash between two chunks leaves whole chunks: the next run finds the rest still unsealed.
      await appendChunk(reading, heads);
      const isWhole = !heads.some(isLongest);
      yield { chainIds: chunk, isWhole, damages, issuedAt: heads.map(({ issuedAt }) => issuedAt) };
      if (isWhole) break;
      current = await read(chunk);
    }
  }
}

const sealedSizeOf = ({ after }: Pick<UnsealedHead, "after">): number => after?.treeSize ?? 0;

/** True of a head behind which its chain may go on. */
const isLongest = (unsealed: UnsealedHead): boolean =>
  unsealed.head.tree_size - sealedSizeOf(unsealed) === MAX_RECEIPTS_PER_HEAD;

/** The sources that the heads of a chunk are read from. */
interface HeadReading extends SealReading, HeadServices {}

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
        reading.heads.forget(chainId);
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
  const { table, heads } = reading;
  // The span is read once and first: a run that seals the chain meanwhile makes it longer, never shorter.
  const sealed = await readNewestHead(reading, chainId);
  const sealedSize = sealed?.span.treeSize ?? 0;
  const part = { chainId, sealedSize, size: sealedSize + MAX_RECEIPTS_PER_HEAD };
  // All receipts are read: a seal can't be taken back, so it must not cover a leaf that is not its receipt's.
  const walked = await walkChain(table, part);
  await requireTrue(reading, chainId, sealed, walked);
  const later = await findLaterEntry(reading, chainId, sealed?.span ?? null, walked);
  if (later !== null) {
    const newest = await readNewestSpan(table, chainId);
    if (newest?.leafIndex === sealed?.span.leafIndex) withoutSpan(later);
    // Another run may have sealed the chain since this one knew its head: the table has that span then.
    heads.forget(chainId);
    return readUnsealedHead(reading, chainId);
  }
  if (walked.newest === null) return null;
  const { leaf, core } = walked.newest;
  // Two runs may take the same number: both would continue the same span, whose key only one of them can take.
  const head_index = sealed === null ? 0 : sealed.span.headIndex + 1;
  const head = {
    chain_id: chainId,
    head_index,
    tree_size: leaf.leafIndex + 1,
    root: formatNode(rootAt(leaf)),
  };
  return { head, after: sealed?.span ?? null, issuedAt: core.issued_at };
}

/** Throws `ledger_corrupt` unless the chain extends its sealed head, and its newest receipt has a true code. */
async function requireTrue(
  reading: HeadReading,
  chainId: string,
  sealed: KnownHead | null,
  walked: WalkedPart,
): Promise<void> {
  const { heads, macs, published } = reading;
  // Of a chain with nothing new, only what is known already is compared: the watch looks at the others.
  const root =
    sealed?.root ?? (sealed && walked.newest && (await readSealedRoot(reading, chainId, sealed.span)));
  if (root !== null) requireSealedRoot(walked, root);
  if (walked.newest === null) return;
  if (sealed !== null && isPublished(published, sealed.span.leafIndex))
    heads.rememberSealed(chainId, { span: sealed.span, root });
  await macs.verifyReceipt(walked.newest);
}

async function readNewestHead(
  { table, heads, published }: HeadReading,
  chainId: string,
): Promise<KnownHead | null> {
  const known = heads.newest(chainId);
  if (known !== undefined) return known;
  const span = await readNewestSpan(table, chainId);
  if (span === null) return null;
  const head = { span, root: null };
  if (isPublished(published, span.leafIndex)) heads.rememberSealed(chainId, head);
  return head;
}

async function appendChunk(reading: HeadReading, chunk: readonly UnsealedHead[]): Promise<void> {
  let heads = chunk;
  for (let attempt = 0; heads.length > 0; attempt++) {
    if (attempt === MAX_CHUNK_TRIES) throw new DisclosureError("ledger_contended", "other runs kept winning");
    if (await appendOnce(reading, heads)) return;
    await backoff(attempt);
    // Another run may have sealed a chain up to an older head than ours: only a new look shows what is left.
    for (const { head } of heads) reading.heads.forget(head.chain_id);
    const left = await Promise.all(heads.map(({ head }) => readUnsealedHead(reading, head.chain_id)));
    heads = left.filter((head) => head !== null);
  }
}

/** False where another run was faster, or the table too busy: nothing was written then. */
async function appendOnce(
  { table, heads: known }: HeadReading,
  heads: readonly UnsealedHead[],
): Promise<boolean> {
  const newest = await readMetachainHead(table);
  let leaf = newest?.leaf ?? null;
  let total = newest?.receiptsTotal ?? 0;
  const appended = heads.map(({ head, after }) => {
    const fromSize = sealedSizeOf({ after });
    leaf = appendLeaf(leaf, hashChainHead(head));
    total += head.tree_size - fromSize;
    const { head_index: headIndex, tree_size: treeSize, root } = head;
    const span = { headIndex, fromSize, treeSize, leafIndex: leaf.leafIndex };
    return { chainId: head.chain_id, span, root, after, entry: metachainEntryItem(head, leaf, total) };
  });
  const writes = appended.flatMap(({ chainId, span, entry }) => [
    { insert: spanItem(chainId, span) },
    { insert: entry },
  ]);
  const { kind } = await table.transact(writes, randomUUID());
  if (kind !== "committed") return false;
  for (const { chainId, span, root, after } of appended)
    known.rememberAppended(chainId, { span, root, after });
  return true;
}
