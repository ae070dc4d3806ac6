// Whose is an entry of the metachain? Before a seal over it is published, a chain must claim it: a span names its very
// place, its number and size follow from the chain's head before, and its root is that of the chain's own receipts, of which
// the newest has a true code. So whoever can write the table, and has no key, invents no head.
import { DisclosureError, isDisclosureError } from "../../evidence/core/errors.ts";
import type { ChainHead } from "../../evidence/core/formats/metachain.ts";
import { formatNode } from "../../evidence/core/merkle/hash.ts";
import { rootAt } from "../../evidence/core/merkle/merkle-tree.ts";
import type { Macs } from "../ledger/macs.ts";
import type { PublishedRoots } from "../seals/published-roots.ts";
import { isSameSpan, readNewestSpansBelow, type Span } from "../seals/span.ts";
import { mapInGroups } from "../table/in-groups.ts";
import { SharedReads } from "../table/shared-reads.ts";
import type { Table } from "../table/table.ts";
import {
  findLaterEntry,
  isPublished,
  readSealedRoot,
  requireSealedRoot,
  type SealReading,
  walkChain,
  withoutSpan,
} from "./chain-continuity.ts";
import { KnownHeads } from "./known-heads.ts";
import { PublishedEntries, type PublishedTree } from "./published-entries.ts";

/** Chains that are looked at at the same time. */
const READ_CONCURRENCY = 50;

/** An entry after the published tree. */
export interface PlacedHead {
  readonly leafIndex: number;
  readonly head: ChainHead;
  /** By how much its running total is larger than that of the entry before. Its hash does not cover that. */
  readonly receipts: number;
}

/** An entry that no chain claims, the chain that it names, and why it is not that chain's. */
export interface UnclaimedEntry {
  readonly leafIndex: number;
  readonly chainId: string;
  readonly detail: string;
}

export interface ClaimServices {
  readonly table: Table;
  /** Null where codes can't be checked: an operator's command may be run without the right to. */
  readonly macs: Macs | null;
  readonly roots: Pick<PublishedRoots, "seal">;
  /** The heads that the run under way has proven, which are not proven again; an operator's command has none. */
  readonly heads?: KnownHeads;
  /** What the process has read of the published entries; an operator's command reads all of them. */
  readonly publishedEntries?: PublishedEntries;
}

/** An entry without a chain stops all publication, until an operator has set it aside. */
export class EntryUnclaimed extends DisclosureError {
  constructor({ leafIndex, chainId, detail }: UnclaimedEntry) {
    const message = `entry ${leafIndex} of the metachain is claimed by no chain; it names chain ${chainId}: ${detail}`;
    super("publication_conflict", message, { entry: leafIndex, chain_id: chainId });
  }
}

/**
 * The first of the entries that no chain claims, or null. They are all those after the published tree, in their order, as
 * they were read once the tree was fixed; the spans are read here, after them.
 */
export async function findUnclaimed(
  services: ClaimServices,
  published: PublishedTree,
  entries: readonly PlacedHead[],
): Promise<UnclaimedEntry | null> {
  const { table, macs, roots } = services;
  const { heads = new KnownHeads(), publishedEntries = new PublishedEntries(table, roots) } = services;
  if (services.publishedEntries === undefined && entries.length > 0)
    await publishedEntries.readBack(published, published?.tree_size ?? 0);
  const reading = { table, macs, heads, published, leaves: new SharedReads(table), publishedEntries };
  const byChain = Map.groupBy(entries, ({ head }) => head.chain_id);
  const found = await mapInGroups([...byChain], READ_CONCURRENCY, ([chainId, own]) =>
    findUnclaimedOf(reading, chainId, own),
  );
  const unclaimed = found.filter((one) => one !== null);
  return unclaimed.sort((a, b) => a.leafIndex - b.leafIndex)[0] ?? null;
}

interface ClaimReading extends SealReading {
  readonly macs: Macs | null;
  readonly heads: KnownHeads;
}

/** An entry with the span that claims it. */
interface Claim extends PlacedHead {
  readonly span: Span;
}

async function findUnclaimedOf(
  reading: ClaimReading,
  chainId: string,
  entries: readonly PlacedHead[],
): Promise<UnclaimedEntry | null> {
  const size = Math.max(...entries.map(({ head }) => head.tree_size));
  // No span after these can be of one of the entries, and the one before them is of the newest published head.
  const spans = await readNewestSpansBelow(reading.table, chainId, size, entries.length + 1);
  const sealed = spans.find(({ leafIndex }) => isPublished(reading.published, leafIndex)) ?? null;
  const claims: Claim[] = [];
  for (const entry of entries) {
    const before = claims.at(-1)?.span ?? sealed;
    const span = spans.find(({ leafIndex }) => leafIndex === entry.leafIndex);
    const detail =
      span === undefined ? "no span of the chain names this place" : faultOf(entry, span, before);
    if (span === undefined || detail !== null)
      return { leafIndex: entry.leafIndex, chainId, detail: detail ?? "" };
    claims.push({ ...entry, span });
  }
  return isProven(reading.heads.appended(chainId), claims, sealed)
    ? null
    : findFalse(reading, chainId, claims, sealed);
}

/** Says what is wrong with an entry and its span, which is to continue the one before; null where nothing is. */
function faultOf({ head, receipts }: PlacedHead, span: Span, before: Span | null): string | null {
  const [headIndex, fromSize] = before === null ? [0, 0] : [before.headIndex + 1, before.treeSize];
  if (span.headIndex !== head.head_index || span.treeSize !== head.tree_size)
    return "the chain's span of this place is of another head";
  if (head.head_index !== headIndex) return `the chain's next head has number ${headIndex}`;
  if (span.fromSize !== fromSize || span.treeSize <= fromSize)
    return `the chain goes on from ${fromSize} receipts`;
  if (receipts !== span.treeSize - fromSize)
    return "its running total is not that of the entry before and its receipts";
  return null;
}

/**
 * True where this very run has walked the chain from the published head to these, and found the code true. What follows
 * from a root does not change with the table.
 */
function isProven(
  appended: ReturnType<KnownHeads["appended"]>,
  claims: readonly Claim[],
  sealed: Span | null,
): boolean {
  return (
    appended.length >= claims.length &&
    claims.every(({ head, span }, i) => {
      const proven = appended[i];
      const after = claims[i - 1]?.span ?? sealed;
      return proven?.root === head.root && isSame(proven.span, span) && isSame(proven.after, after);
    })
  );
}

const isSame = (a: Span | null, b: Span | null): boolean =>
  a === b || (a !== null && b !== null && isSameSpan(a, b));

/** The first head whose root is not that of the chain's receipts; the first of all where the chain does not hold. */
async function findFalse(
  reading: ClaimReading,
  chainId: string,
  claims: readonly Claim[],
  sealed: Span | null,
): Promise<UnclaimedEntry | null> {
  const fault = ({ leafIndex }: PlacedHead, detail: string) => ({ leafIndex, chainId, detail });
  const [first, last] = [claims[0], claims.at(-1)];
  if (first === undefined || last === undefined) return null;
  try {
    const roots = await walkRoots(reading, chainId, claims, sealed);
    const other = claims.find(({ head }) => roots.get(head.tree_size) !== head.root);
    return other === undefined ? null : fault(other, "its root is not that of the chain's receipts");
  } catch (error) {
    if (!isDisclosureError(error, "ledger_corrupt")) throw error;
    return fault(first, error.message);
  }
}

/** The chain's roots at the sizes of these heads, from its receipts. */
async function walkRoots(
  reading: ClaimReading,
  chainId: string,
  claims: readonly Claim[],
  sealed: Span | null,
): Promise<ReadonlyMap<number, string>> {
  const sizes = new Set(claims.map(({ head }) => head.tree_size));
  const roots = new Map<number, string>();
  const part = { chainId, sealedSize: sealed?.treeSize ?? 0, size: Math.max(...sizes) };
  const walked = await walkChain(reading.table, part, (leaf) => {
    const size = leaf.leafIndex + 1;
    if (sizes.has(size)) roots.set(size, formatNode(rootAt(leaf)));
  });
  if (sealed !== null) requireSealedRoot(walked, await readSealedRoot(reading, chainId, sealed));
  if (walked.newest !== null) await reading.macs?.verifyReceipt(walked.newest);
  const later = await findLaterEntry(reading, chainId, sealed, walked);
  if (later !== null) withoutSpan(later);
  return roots;
}
