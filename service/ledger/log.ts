// A log in the table: leaves by their index, and proofs put together from them. Serves chains and the metachain.
import { PARTITION_KEY, SORT_KEY } from "../../contract/table.ts";
import { concatBytes, equalBytes } from "../../evidence/core/bytes.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { HASH_BYTES } from "../../evidence/core/merkle/hash.ts";
import { verifyConsistency, verifyInclusion } from "../../evidence/core/merkle/merkle-proof.ts";
import {
  appendLeaf,
  buildConsistencyPath,
  buildInclusionPath,
  leavesForConsistency,
  leavesForInclusion,
  leftPathLength,
  rootAt,
  type TreeLeaf,
} from "../../evidence/core/merkle/merkle-tree.ts";
import { bytesOf, textOf } from "../table/attributes.ts";
import type { Item } from "../table/item.ts";
import { leafIndexOf, leafKey, logPartition } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { MissingItem, untilWhole } from "../table/until-whole.ts";

/** A leaf and the item that it was read from, which holds what the leaf commits to. */
export interface LogEntry {
  readonly leaf: TreeLeaf;
  readonly item: Item;
}

export interface LogInclusionProof {
  readonly leaf: TreeLeaf;
  /** RFC 9162 audit path, leaf side first. */
  readonly path: readonly Uint8Array[];
  /** The newest leaf of the tree that the path leads into. */
  readonly head: TreeLeaf;
  readonly root: Uint8Array;
}

/** The names of the attributes that every leaf has. They are short, for a name counts as bytes of each item. */
export const LEAF_HASH = "h";
export const LEFT_PATH = "p";

/** Every leaf's item has these, whatever the leaf commits to. The leaf's index is in the key. */
export const leafAttributes = (logId: string, leaf: TreeLeaf): Item => ({
  ...leafKey(logId, leaf.leafIndex),
  [LEAF_HASH]: { B: leaf.leafHash },
  [LEFT_PATH]: { B: concatBytes(...leaf.leftPath) },
});

export class Log {
  readonly #table: Table;
  readonly #id: string;
  readonly #leaves: Pick<Table, "batchGet">;

  /** Proofs are put together from `leaves`, where reads are shared with those of other logs. */
  constructor(table: Table, id: string, leaves: Pick<Table, "batchGet"> = table) {
    this.#table = table;
    this.#id = id;
    this.#leaves = leaves;
  }

  /** The newest leaf, which is the head, checked against the one before it; null for an empty log. */
  async newest(): Promise<LogEntry | null> {
    const query = { partition: logPartition(this.#id), descending: true, limit: 2 };
    return untilWhole(async () => {
      const [newest, previous] = (await this.#table.query(query)).map(readEntry);
      if (newest === undefined) return null;
      checkFollows(newest.leaf, previous?.leaf);
      return newest;
    });
  }

  async entry(leafIndex: number): Promise<LogEntry | null> {
    const item = await this.#table.get(leafKey(this.#id, leafIndex));
    return item === null ? null : readEntry(item);
  }

  /**
   * The entries from `first` up to but not including `end`, without a hole, each with these attributes and those of every
   * leaf. They are as they are stored: whether they lead to a root that is known is for the caller to check.
   */
  async entries(first: number, end: number, attributes: readonly string[]): Promise<LogEntry[]> {
    const [from, upTo] = [leafKey(this.#id, first).sk.S, leafKey(this.#id, end - 1).sk.S];
    const names = [PARTITION_KEY, SORT_KEY, LEAF_HASH, LEFT_PATH, ...attributes];
    const query = { partition: logPartition(this.#id), from, upTo, attributes: names };
    return untilWhole(async () => {
      const items = await this.#table.query(query);
      for (let i = first; i < end; i++)
        if (items[i - first]?.[SORT_KEY]?.S !== leafKey(this.#id, i).sk.S) missingLeaf(i);
      return items.map(readEntry);
    });
  }

  /** An entry and its verified inclusion path in the tree of `treeSize`: one BatchGetItem. */
  async inclusionProof(
    leafIndex: number,
    treeSize: number,
  ): Promise<{ entry: LogEntry; proof: LogInclusionProof }> {
    const beforeHead = treeSize === 1 ? [] : [treeSize - 2];
    const siblings = verifiedOrCorrupt(() => leavesForInclusion(leafIndex, treeSize));
    const entryAt = await this.entriesByIndex([leafIndex, treeSize - 1, ...beforeHead, ...siblings]);
    const [entry, head] = [entryAt(leafIndex), entryAt(treeSize - 1).leaf];
    const path = buildInclusionPath(leafIndex, treeSize, (index) => entryAt(index).leaf);
    const root = rootAt(head);
    // A damaged item must show as an error of ours, never as a false receipt. Where the leaf is the head, path and
    // root come from one item and would agree on anything: the leaf before it is the second witness.
    checkFollows(head, treeSize === 1 ? undefined : entryAt(treeSize - 2).leaf);
    verifiedOrCorrupt(() => verifyInclusion(entry.leaf.leafHash, leafIndex, treeSize, path, root));
    return { entry, proof: { leaf: entry.leaf, path, head, root } };
  }

  /** The consistency path from a root that is known to the tree of `treeSize`, verified; both sizes at least 1. */
  async consistencyPath(
    previous: { readonly size: number; readonly root: Uint8Array },
    treeSize: number,
  ): Promise<Uint8Array[]> {
    const needed = verifiedOrCorrupt(() => leavesForConsistency(previous.size, treeSize));
    const entryAt = await this.entriesByIndex([treeSize - 1, ...needed]);
    const path = buildConsistencyPath(previous.size, treeSize, (index) => entryAt(index).leaf);
    const root = rootAt(entryAt(treeSize - 1).leaf);
    verifiedOrCorrupt(() => verifyConsistency(previous.size, treeSize, path, previous.root, root));
    return path;
  }

  /** The entries at these indices: one BatchGetItem for each hundred. */
  async entriesByIndex(leafIndices: readonly number[]): Promise<(leafIndex: number) => LogEntry> {
    const indices = [...new Set(leafIndices)];
    const keys = indices.map((index) => leafKey(this.#id, index));
    return untilWhole(async () => {
      const found = new Map(
        (await this.#leaves.batchGet(keys)).map(readEntry).map((entry) => [entry.leaf.leafIndex, entry]),
      );
      const entryAt = (leafIndex: number): LogEntry => found.get(leafIndex) ?? missingLeaf(leafIndex);
      for (const index of indices) entryAt(index);
      return entryAt;
    });
  }
}

/** Reads an item back; whether the leaf follows from the one before it is another question. Throws `ledger_corrupt`. */
export function readEntry(item: Item): LogEntry {
  // The place in the tree is the key's, where the next append looks for a free one.
  const leafIndex = leafIndexOf(textOf(item, SORT_KEY));
  const path = bytesOf(item, LEFT_PATH, leftPathLength(leafIndex) * HASH_BYTES);
  const leftPath = Array.from({ length: path.length / HASH_BYTES }, (_, i) =>
    path.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES),
  );
  return { leaf: { leafIndex, leafHash: bytesOf(item, LEAF_HASH, HASH_BYTES), leftPath }, item };
}

/** A leaf's left path follows from the leaf before it: an append on a damaged one would spoil the tree permanently. */
export function checkFollows(leaf: TreeLeaf, previous: TreeLeaf | undefined): void {
  if (leaf.leafIndex > 0 && previous?.leafIndex !== leaf.leafIndex - 1) missingLeaf(leaf.leafIndex - 1);
  const { leftPath } = appendLeaf(previous ?? null, leaf.leafHash);
  const isSame = (node: Uint8Array, i: number) => equalBytes(node, leaf.leftPath[i] ?? Uint8Array.of());
  if (leftPath.length !== leaf.leftPath.length || !leftPath.every(isSame)) {
    throw new DisclosureError("ledger_corrupt", "a left path does not follow from the leaf before", {
      leafIndex: leaf.leafIndex,
    });
  }
}

/** Runs a check of a proof that we are about to serve, and throws `ledger_corrupt` where it fails. */
export function verifiedOrCorrupt<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw new DisclosureError("ledger_corrupt", "a proof from the table does not verify", {}, cause);
  }
}

/** Throws the `ledger_corrupt` after which `untilWhole` reads again. */
export function missingLeaf(leafIndex: number): never {
  throw new MissingItem("ledger_corrupt", "a leaf is missing from the table", { leafIndex });
}
