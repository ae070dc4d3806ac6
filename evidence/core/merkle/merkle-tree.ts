// Merkle trees of RFC 9162 section 2.1, kept as one left path a leaf instead of a stored tree.
//
// The left path of leaf i holds the roots of the complete subtrees that cover the i leaves before it, lowest
// first: one hash for each set bit of i. With the leaf's own hash it gives the root at size i + 1, the next
// leaf's left path, and every complete subtree that ends at i. So any proof in any later tree is put together
// from at most log2(n) + 1 leaves, and those are known from (leafIndex, treeSize) alone.
import { DisclosureError } from "../errors.ts";
import { hashNode } from "./hash.ts";
import { half, isOdd } from "./index-arithmetic.ts";

/** A leaf as it is stored: its place, RFC 9162's leaf hash, and the left path, lowest subtree first. */
export interface TreeLeaf {
  readonly leafIndex: number;
  readonly leafHash: Uint8Array;
  readonly leftPath: readonly Uint8Array[];
}

/** Where one node of a path comes from: a leaf's left path, or the subtree of `level` that ends at a leaf. */
type PathSource =
  | { readonly kind: "left"; readonly leafIndex: number; readonly place: number }
  | { readonly kind: "right"; readonly leafIndex: number; readonly level: number };

/** The length that the left path of leaf `leafIndex` must have. */
export const leftPathLength = (leafIndex: number): number => countBits(leafIndex);

/** The leaf that follows `previous` (null before the first), with its left path. Costs as many hashes as carries. */
export function appendLeaf(previous: TreeLeaf | null, leafHash: Uint8Array): TreeLeaf {
  if (previous === null) return { leafIndex: 0, leafHash, leftPath: [] };
  let node = previous.leafHash;
  let merged = 0;
  for (let rest = previous.leafIndex; isOdd(rest); rest = half(rest)) {
    node = hashNode(nodeAt(previous.leftPath, merged++), node);
  }
  const leftPath = [node, ...previous.leftPath.slice(merged)];
  return { leafIndex: previous.leafIndex + 1, leafHash, leftPath };
}

/** The size of the tree that ends with `leaf`; 0 before the first. */
export const sizeAt = (leaf: TreeLeaf | null): number => (leaf === null ? 0 : leaf.leafIndex + 1);

/** The root of the tree that ends with `leaf`. */
export const rootAt = (leaf: TreeLeaf): Uint8Array => foldLeft(leaf, leaf.leftPath.length);

/** The root of the complete subtree of 2^level leaves that ends with `leaf`: its index ends in `level` one bits. */
export const subtreeEndingAt = (leaf: TreeLeaf, level: number): Uint8Array => foldLeft(leaf, level);

/** The roots of the complete subtrees that cover all leaves up to and with `leaf`, lowest first. */
export const completeSubtrees = (leaf: TreeLeaf): readonly Uint8Array[] =>
  appendLeaf(leaf, leaf.leafHash).leftPath;

/** The leaves that `buildInclusionPath` will ask for, ascending. */
export function leavesForInclusion(leafIndex: number, treeSize: number): number[] {
  return leavesOf(planPath(leafIndex, treeSize, 0));
}

/** RFC 9162 section 2.1.3.1: the audit path of `leafIndex` in the tree of `treeSize` leaves, leaf side first. */
export function buildInclusionPath(
  leafIndex: number,
  treeSize: number,
  leafAt: (leafIndex: number) => TreeLeaf,
): Uint8Array[] {
  return planPath(leafIndex, treeSize, 0).map((source) => readNode(source, leafAt));
}

/** The leaves that `buildConsistencyPath` will ask for, ascending. */
export function leavesForConsistency(previousSize: number, treeSize: number): number[] {
  return leavesOf(planConsistency(previousSize, treeSize));
}

/** RFC 9162 section 2.1.4.1: the consistency path between two sizes; empty from 0 and between equal sizes. */
export function buildConsistencyPath(
  previousSize: number,
  treeSize: number,
  leafAt: (leafIndex: number) => TreeLeaf,
): Uint8Array[] {
  return planConsistency(previousSize, treeSize).map((source) => readNode(source, leafAt));
}

/** The number of set bits of `n` below `level`: how many complete subtrees there are lower than that. */
function countBits(n: number, level = 53): number {
  let count = 0;
  for (let bit = 0, rest = n; bit < level && rest > 0; bit++, rest = half(rest)) count += rest % 2;
  return count;
}

/** The node at `place` of a left path. Throws `proof_invalid` where the path was stored too short. */
function nodeAt(path: readonly Uint8Array[], place: number): Uint8Array {
  const node = path[place];
  if (node === undefined) {
    throw new DisclosureError("proof_invalid", "the path is too short", { length: path.length });
  }
  return node;
}

/** The root over the lowest `count` subtrees of the left path and the leaf itself. */
function foldLeft(leaf: TreeLeaf, count: number): Uint8Array {
  return leaf.leftPath.slice(0, count).reduce((node, sibling) => hashNode(sibling, node), leaf.leafHash);
}

/** The siblings from `fromLevel` up: left ones lie in the leaf's own left path, right ones end at another leaf. */
function planPath(leafIndex: number, treeSize: number, fromLevel: number): PathSource[] {
  checkSizes(1, leafIndex + 1, treeSize);
  const plan: PathSource[] = [];
  for (let level = fromLevel, width = 2 ** level; width < treeSize; level++, width *= 2) {
    const position = Math.floor(leafIndex / width);
    const rightStart = (position + 1) * width;
    if (isOdd(position)) plan.push({ kind: "left", leafIndex, place: countBits(leafIndex, level) });
    else if (rightStart < treeSize) {
      plan.push({ kind: "right", leafIndex: Math.min(rightStart + width, treeSize) - 1, level });
    }
  }
  return plan;
}

/**
 * The path from the last complete subtree of the old tree up to the new root, led by that subtree's own root,
 * which a verifier can't know unless it is the whole old tree.
 */
function planConsistency(previousSize: number, treeSize: number): PathSource[] {
  checkSizes(0, previousSize, treeSize);
  if (previousSize === 0 || previousSize === treeSize) return [];
  let level = 0;
  let position = previousSize;
  for (; !isOdd(position); position = half(position)) level++;
  const leafIndex = previousSize - 1;
  const above = planPath(leafIndex, treeSize, level);
  return position === 1 ? above : [{ kind: "right", leafIndex, level }, ...above];
}

/** A size of 0 asks for nothing; a size beyond the tree asks for what is not there. */
function checkSizes(smallest: number, size: number, treeSize: number): void {
  const areSizes = Number.isSafeInteger(size) && Number.isSafeInteger(treeSize);
  if (!areSizes || size < smallest || size > treeSize) {
    throw new DisclosureError("malformed", "the tree is smaller than what is asked of it", {
      size,
      treeSize,
    });
  }
}

/** The leaves that a plan reads from, each once, ascending. */
const leavesOf = (plan: readonly PathSource[]): number[] =>
  [...new Set(plan.map((source) => source.leafIndex))].sort((a, b) => a - b);

/** The node that a plan asks for, out of the leaf that holds it. */
function readNode(source: PathSource, leafAt: (leafIndex: number) => TreeLeaf): Uint8Array {
  const leaf = leafAt(source.leafIndex);
  if (source.kind === "left") return nodeAt(leaf.leftPath, source.place);
  return foldLeft(leaf, countBits(source.leafIndex, source.level));
}
