// The rule by which a chain may be sealed again: its receipts follow one another from the head that the metachain has of
// it. A chain that does not is a fork of sealed history, and is never sealed.
import { METACHAIN_ID } from "../../contract/table.ts";
import { equalBytes } from "../../evidence/core/bytes.ts";
import { DisclosureError, type ErrorFacts } from "../../evidence/core/errors.ts";
import { type ChainHead, hashChainHead } from "../../evidence/core/formats/metachain.ts";
import { NO_PREVIOUS_HASH } from "../../evidence/core/formats/receipt.ts";
import { formatDigest, formatNode, parseNode } from "../../evidence/core/merkle/hash.ts";
import { rootAt, type TreeLeaf } from "../../evidence/core/merkle/merkle-tree.ts";
import { type ChainLeaf, readChainLeaf, removalOf } from "../ledger/chain-leaf.ts";
import { checkFollows, Log, type LogEntry, missingLeaf, readEntry } from "../ledger/log.ts";
import { readChainHead } from "../seals/metachain-entry.ts";
import type { Span } from "../seals/span.ts";
import { leafKey, logPartition } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { untilWhole } from "../table/until-whole.ts";
import type { PublishedEntries, PublishedTree } from "./published-entries.ts";

/** DynamoDB takes no larger limit. */
const MAX_LIMIT = 2 ** 31 - 1;

/** The heads of a run are read with these. */
export interface SealReading {
  readonly table: Table;
  /** The leaves that paths are made of: chains that were sealed together share most of those of the metachain. */
  readonly leaves: Pick<Table, "batchGet">;
  readonly published: PublishedTree;
  readonly publishedEntries: PublishedEntries;
}

/** The part of a chain that is walked: from the newest leaf of the tree of `sealedSize`, up to `size` at most. */
export interface ChainPart {
  readonly chainId: string;
  readonly sealedSize: number;
  readonly size: number;
}

/** The outcome of a walk, in which each leaf follows from the one before, and each receipt links to it. */
export interface WalkedPart {
  /** The root of the tree of `sealedSize`, as the leaves have it; null where that is 0. */
  readonly sealedRoot: string | null;
  /** The first receipt after `sealedSize`; null where there is none. */
  readonly first: ChainLeaf | null;
  /** The newest receipt that was walked; null where there is none after `sealedSize`. */
  readonly newest: ChainLeaf | null;
}

/** Throws `ledger_corrupt`. `onLeaf` is told of each leaf after `sealedSize`, and of all again where one was missing. */
export function walkChain(
  table: Table,
  part: ChainPart,
  onLeaf: (leaf: TreeLeaf) => void = () => {},
): Promise<WalkedPart> {
  const { chainId, sealedSize, size } = part;
  const first = Math.max(0, sealedSize - 1);
  // By a number of items and not by the last key: what is no leaf, and lies behind the newest, is met as well.
  const range = {
    partition: logPartition(chainId),
    from: leafKey(chainId, first).sk.S,
    limit: Math.min(size - first, MAX_LIMIT),
  };
  return untilWhole(async () => {
    let previous: TreeLeaf | undefined;
    let first: ChainLeaf | null = null;
    let newest: ChainLeaf | null = null;
    let sealedRoot: string | null = null;
    for await (const items of table.pages(range)) {
      for (const entry of items.map(readEntry)) {
        if (previous === undefined && sealedSize > 0) {
          sealedRoot = rootOfSealed(entry.leaf, part);
        } else {
          newest = readNext(chainId, entry, previous);
          first ??= newest;
          onLeaf(entry.leaf);
        }
        previous = entry.leaf;
      }
    }
    if (sealedSize > 0 && sealedRoot === null)
      refuse("receipts that were sealed are missing", { sealedSize });
    return { sealedRoot, first, newest };
  });
}

function rootOfSealed(leaf: TreeLeaf, { sealedSize }: ChainPart): string {
  if (leaf.leafIndex !== sealedSize - 1) refuse("receipts that were sealed are missing", { sealedSize });
  return formatNode(rootAt(leaf));
}

/** The links make one code enough: that of the newest receipt, whose hash holds the hashes of all before it. */
function readNext(chainId: string, entry: LogEntry, previous: TreeLeaf | undefined): ChainLeaf {
  const { leafIndex } = entry.leaf;
  checkFollows(entry.leaf, previous);
  if (removalOf(entry) !== null) refuse("a receipt was removed before it was sealed", { leafIndex });
  const receipt = readChainLeaf(entry);
  const { chain_id, sequence, previous_hash } = receipt.core;
  const link = previous === undefined ? NO_PREVIOUS_HASH : formatDigest(previous.leafHash);
  if (chain_id !== chainId || sequence !== leafIndex)
    refuse("a receipt is stored in the place of another", { leafIndex });
  if (previous_hash !== link) refuse("a receipt does not link to the one before", { leafIndex });
  return receipt;
}

/** Throws `ledger_corrupt` unless the walk began at the root that was sealed. */
export function requireSealedRoot({ sealedRoot }: WalkedPart, root: string): void {
  if (sealedRoot !== root)
    refuse("a chain does not extend its sealed head", { expected: root, actual: sealedRoot });
}

/**
 * The place of an entry under the published root that the chain has behind its span `sealed`, null where there is none. The
 * span of such an entry was taken away, or written since `sealed` was read; a head after `sealed` would have its label.
 * `first` has to be shown true before: it says from where on such an entry can be, unless receipts under it were taken away
 * as well. Then it is among those that were read back.
 */
export async function findLaterEntry(
  { publishedEntries, published }: Pick<SealReading, "publishedEntries" | "published">,
  chainId: string,
  sealed: Span | null,
  { first }: WalkedPart,
): Promise<number | null> {
  const known = publishedEntries.known(chainId)?.place ?? null;
  const since = first?.core.recorded_after;
  const place = since === undefined ? known : await publishedEntries.newestSince(since, chainId, published);
  return place !== null && place > (sealed?.leafIndex ?? -1) ? place : null;
}

/** The fault of a chain with an entry that none of its spans tells of. */
export const withoutSpan = (leafIndex: number): never =>
  refuse("the span of a published entry is missing", { leafIndex });

/**
 * The root of the head that `span` says was sealed. Throws `ledger_corrupt` where its entry is of another head, or is not
 * under the published root: whoever rewrote a chain could have rewritten its entry as well.
 */
export async function readSealedRoot(reading: SealReading, chainId: string, span: Span): Promise<string> {
  const head = readChainHead(await readSealedEntry(reading, span.leafIndex));
  if (isOf(head, chainId, span)) return head.root;
  return refuse("a span leads to an entry of another head", { leafIndex: span.leafIndex });
}

/**
 * Throws `ledger_corrupt` where the newest span of a chain is not that of its newest published entry, as far as the entries
 * were read; null is a chain without a span.
 */
export function requireNewest(
  entries: Pick<PublishedEntries, "known" | "hasRead">,
  chainId: string,
  span: Span | null,
): void {
  const known = entries.known(chainId);
  const leafIndex = span?.leafIndex ?? -1;
  if (known !== null && known.place > leafIndex) withoutSpan(known.place);
  if (entries.hasRead(leafIndex) && known?.place !== leafIndex)
    refuse("a span leads to an entry of another head", { leafIndex });
}

/**
 * Throws `ledger_corrupt` unless the newest span of a chain, which says that all of it is sealed, leads to an entry of the
 * head that the chain has: the published one, where it was read.
 */
export async function requireEntry(
  { table, publishedEntries }: Pick<SealReading, "table" | "publishedEntries">,
  { chainId, span, root }: { readonly chainId: string; readonly span: Span; readonly root: Uint8Array },
): Promise<void> {
  const log = new Log(table, METACHAIN_ID);
  const { leafIndex, headIndex: head_index, treeSize: tree_size } = span;
  const known = publishedEntries.known(chainId);
  if (known?.place === leafIndex) {
    const own = hashChainHead({ chain_id: chainId, head_index, tree_size, root: formatNode(root) });
    if (equalBytes(own, known.leafHash)) return;
    refuse("a span leads to an entry of another head", { leafIndex });
  }
  const entry = await untilWhole(async () => (await log.entry(leafIndex)) ?? missingLeaf(leafIndex));
  const head = readChainHead(entry);
  if (!isOf(head, chainId, span) || head.root !== formatNode(root))
    refuse("a span leads to an entry of another head", { leafIndex });
}

const isOf = (head: ChainHead, chainId: string, { headIndex, treeSize }: Span): boolean =>
  head.chain_id === chainId && head.head_index === headIndex && head.tree_size === treeSize;

async function readSealedEntry(
  { table, leaves, published }: SealReading,
  leafIndex: number,
): Promise<LogEntry> {
  const log = new Log(table, METACHAIN_ID, leaves);
  // A run that died before its seal leaves entries that nothing published vouches for: they are judged before the next
  // seal is published (claims.ts).
  if (!isPublished(published, leafIndex)) {
    return untilWhole(async () => (await log.entry(leafIndex)) ?? missingLeaf(leafIndex));
  }
  const { entry, proof } = await log.inclusionProof(leafIndex, published.tree_size);
  if (equalBytes(proof.root, parseNode(published.merkle_root))) return entry;
  return refuse("an entry of the metachain is not under the published root", { leafIndex });
}

/** True of an entry's place under the published root. */
export const isPublished = (
  published: PublishedTree,
  leafIndex: number,
): published is NonNullable<PublishedTree> => published !== null && leafIndex < published.tree_size;

function refuse(message: string, evidence: ErrorFacts): never {
  throw new DisclosureError("ledger_corrupt", message, evidence);
}
