// A log in the table: leaves by their index, and proofs put together from them. Serves chains and the metachain.
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { concatBytes } from "../core/bytes.ts";
import { DisclosureError } from "../core/errors.ts";
import { HASH_BYTES } from "../core/hash.ts";
import { verifyConsistency, verifyInclusion } from "../core/merkle-proof.ts";
import {
  buildConsistencyPath,
  buildInclusionPath,
  leavesForConsistency,
  leavesForInclusion,
  leftPathLength,
  rootAt,
  type TreeLeaf,
} from "../core/merkle-tree.ts";
import { leafKey, logPartition } from "./keys.ts";
import type { Item, Table } from "./table.ts";

/** A leaf and the item that it was read from, which holds what the leaf commits to. */
export interface LogEntry {
  readonly leaf: TreeLeaf;
  readonly item: Item;
}

export interface InclusionProof {
  readonly leaf: TreeLeaf;
  /** RFC 9162 audit path, leaf side first. */
  readonly path: readonly Uint8Array[];
  /** The newest leaf of the tree that the path leads into. */
  readonly head: TreeLeaf;
  readonly root: Uint8Array;
}

/** The attributes that every leaf has, whatever it commits to. */
export const leafAttributes = (logId: string, leaf: TreeLeaf): Item => ({
  ...leafKey(logId, leaf.leafIndex),
  leaf_index: { N: String(leaf.leafIndex) },
  leaf_hash: { B: leaf.leafHash },
  left_path: { B: concatBytes(...leaf.leftPath) },
});

export class Log {
  readonly #table: Table;
  readonly #id: string;

  constructor(table: Table, id: string) {
    this.#table = table;
    this.#id = id;
  }

  /** The newest leaf, which is the head; null for an empty log. */
  async newest(): Promise<LogEntry | null> {
    const item = await this.#table.newest(logPartition(this.#id));
    return item === null ? null : readEntry(item);
  }

  async entry(leafIndex: number): Promise<LogEntry | null> {
    const item = await this.#table.get(leafKey(this.#id, leafIndex));
    return item === null ? null : readEntry(item);
  }

  /** An entry and its verified inclusion path in the tree of `treeSize`: one BatchGetItem. */
  async inclusionProof(
    leafIndex: number,
    treeSize: number,
  ): Promise<{ entry: LogEntry; proof: InclusionProof }> {
    const needed = [leafIndex, treeSize - 1, ...leavesForInclusion(leafIndex, treeSize)];
    const entryAt = await this.#entriesByIndex(needed);
    const [entry, head] = [entryAt(leafIndex), entryAt(treeSize - 1).leaf];
    const path = buildInclusionPath(leafIndex, treeSize, (index) => entryAt(index).leaf);
    const root = rootAt(head);
    // A damaged item must show as an error of ours, never as a false receipt.
    servable(() => verifyInclusion(entry.leaf.leafHash, leafIndex, treeSize, path, root));
    return { entry, proof: { leaf: entry.leaf, path, head, root } };
  }

  /** The verified consistency path between two sizes, both at least 1. */
  async consistencyPath(previousSize: number, treeSize: number): Promise<Uint8Array[]> {
    const needed = [previousSize - 1, treeSize - 1, ...leavesForConsistency(previousSize, treeSize)];
    const entryAt = await this.#entriesByIndex(needed);
    const path = buildConsistencyPath(previousSize, treeSize, (index) => entryAt(index).leaf);
    const [previousRoot, root] = [rootAt(entryAt(previousSize - 1).leaf), rootAt(entryAt(treeSize - 1).leaf)];
    servable(() => verifyConsistency(previousSize, treeSize, path, previousRoot, root));
    return path;
  }

  async #entriesByIndex(leafIndices: readonly number[]): Promise<(leafIndex: number) => LogEntry> {
    const keys = [...new Set(leafIndices)].map((index) => leafKey(this.#id, index));
    const items = await this.#table.batchGet(keys);
    const found = new Map(items.map(readEntry).map((entry) => [entry.leaf.leafIndex, entry]));
    return (leafIndex) => found.get(leafIndex) ?? missing(leafIndex);
  }
}

/** A text attribute of an item of ours. Throws `ledger_corrupt` where it is not there. */
export function textOf(item: Item, name: string): string {
  return item[name]?.S ?? damaged(name);
}

/** A number attribute: a safe integer, or `ledger_corrupt`. */
export function integerOf(item: Item, name: string): number {
  const value = Number(item[name]?.N ?? damaged(name));
  return Number.isSafeInteger(value) ? value : damaged(name);
}

/** A binary attribute of `length` bytes, or `ledger_corrupt`. */
export function bytesOf(item: Item, name: string, length: number): Uint8Array {
  const value: AttributeValue | undefined = item[name];
  return value?.B?.length === length ? value.B : damaged(name);
}

function readEntry(item: Item): LogEntry {
  const leafIndex = integerOf(item, "leaf_index");
  const path = bytesOf(item, "left_path", leftPathLength(leafIndex) * HASH_BYTES);
  const leftPath = Array.from({ length: path.length / HASH_BYTES }, (_, i) =>
    path.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES),
  );
  return { leaf: { leafIndex, leafHash: bytesOf(item, "leaf_hash", HASH_BYTES), leftPath }, item };
}

function servable(verify: () => void): void {
  try {
    verify();
  } catch (cause) {
    throw new DisclosureError("ledger_corrupt", "a proof from the table does not verify", {}, cause);
  }
}

function missing(leafIndex: number): never {
  throw new DisclosureError("ledger_corrupt", "a leaf is missing from the table", { leafIndex });
}

function damaged(attribute: string): never {
  throw new DisclosureError("ledger_corrupt", "an item of the table is damaged", { attribute });
}
