// The rule by which a chain may be sealed again: its head extends the one that the metachain has of it. A head that does
// not is a fork of sealed history, and is never sealed.
import { METACHAIN_ID } from "../../contract/table.ts";
import { equalBytes } from "../../evidence/core/bytes.ts";
import { DisclosureError, type ErrorFacts } from "../../evidence/core/errors.ts";
import type { ChainHead } from "../../evidence/core/formats/metachain.ts";
import { formatNode, parseNode } from "../../evidence/core/merkle/hash.ts";
import type { TreeLeaf } from "../../evidence/core/merkle/merkle-tree.ts";
import { Log, type LogEntry, missingLeaf } from "../ledger/log.ts";
import { readChainHead } from "../seals/metachain-entry.ts";
import type { SealedTree } from "../seals/seal-item.ts";
import type { Span } from "../seals/span.ts";
import type { Table } from "../table/table.ts";
import { untilWhole } from "../table/until-whole.ts";

/** The newest published tree of the metachain; null before the first seal. */
export type PublishedTree = Pick<SealedTree, "tree_size" | "merkle_root"> | null;

/** The heads of a run are read with these. */
export interface SealReading {
  readonly table: Table;
  /** The leaves that paths are made of: chains that were sealed together share most of those of the metachain. */
  readonly leaves: Pick<Table, "batchGet">;
  readonly published: PublishedTree;
}

/**
 * Throws `ledger_corrupt` unless the chain that ends with `head` extends what `span`, its newest, says was sealed of it.
 * The span must have been read before the head, or a chain that grew in between would look cut off.
 */
export async function requireExtension(
  reading: SealReading,
  { chainId, span, head }: { readonly chainId: string; readonly span: Span; readonly head: TreeLeaf },
): Promise<void> {
  const size = head.leafIndex + 1;
  if (size < span.treeSize) refuse("receipts that were sealed are missing", { size, sealed: span.treeSize });
  if (size === span.treeSize) return;
  const sealed = readChainHead(await readEntry(reading, span.leafIndex));
  if (!isOf(sealed, chainId, span))
    refuse("a span leads to an entry of another head", { leafIndex: span.leafIndex });
  const root = parseNode(sealed.root);
  await new Log(reading.table, chainId, reading.leaves).consistencyPath(
    { size: sealed.tree_size, root },
    size,
  );
}

/**
 * Throws `ledger_corrupt` unless the newest span of a chain, which says that all of it is sealed, leads to an entry of the
 * head that the chain has.
 */
export async function requireEntry(
  table: Table,
  { chainId, span, root }: { readonly chainId: string; readonly span: Span; readonly root: Uint8Array },
): Promise<void> {
  const log = new Log(table, METACHAIN_ID);
  const { leafIndex } = span;
  const entry = await untilWhole(async () => (await log.entry(leafIndex)) ?? missingLeaf(leafIndex));
  const head = readChainHead(entry);
  if (!isOf(head, chainId, span) || head.root !== formatNode(root))
    refuse("a span leads to an entry of another head", { leafIndex });
}

const isOf = (head: ChainHead, chainId: string, { headIndex, treeSize }: Span): boolean =>
  head.chain_id === chainId && head.head_index === headIndex && head.tree_size === treeSize;

/** The entry, with a path to the published root: whoever rewrote a chain could have rewritten its entry as well. */
async function readEntry({ table, leaves, published }: SealReading, leafIndex: number): Promise<LogEntry> {
  const log = new Log(table, METACHAIN_ID, leaves);
  // A run that died before its seal leaves entries that nothing published vouches for.
  if (published === null || leafIndex >= published.tree_size) {
    return untilWhole(async () => (await log.entry(leafIndex)) ?? missingLeaf(leafIndex));
  }
  const { entry, proof } = await log.inclusionProof(leafIndex, published.tree_size);
  if (equalBytes(proof.root, parseNode(published.merkle_root))) return entry;
  return refuse("an entry of the metachain is not under the published root", { leafIndex });
}

function refuse(message: string, evidence: ErrorFacts): never {
  throw new DisclosureError("ledger_corrupt", message, evidence);
}
