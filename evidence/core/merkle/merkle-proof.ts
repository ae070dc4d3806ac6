// Verification of RFC 9162 inclusion and consistency paths (sections 2.1.3.2 and 2.1.4.2); it trusts nothing.
import { equalBytes } from "../bytes.ts";
import { DisclosureError, type ErrorFacts } from "../errors.ts";
import { HASH_BYTES, hashNode } from "./hash.ts";
import { half, isOdd } from "./index-arithmetic.ts";

/** On which side of the way up a node of a path lies. */
export type Side = "left" | "right";

/**
 * RFC 9162 section 2.1.3.2. Throws `proof_invalid` unless `path` leads from the leaf to `root`.
 * The root says nothing about size and index but their turns: leaf 4 of 5 and leaf 1 of 2 both lie right of one
 * node. A caller who relies on either takes it from something hashed or signed, such as the receipt's sequence.
 */
export function verifyInclusion(
  leafHash: Uint8Array,
  leafIndex: number,
  treeSize: number,
  path: readonly Uint8Array[],
  root: Uint8Array,
): void {
  const r = rootOfInclusion(leafHash, leafIndex, treeSize, path);
  if (!equalBytes(r, root)) refuse("the inclusion path leads to another root");
}

/** The root to which `path` leads from the leaf, for a reader whose root is signed. Throws `proof_invalid`. */
export function rootOfInclusion(
  leafHash: Uint8Array,
  leafIndex: number,
  treeSize: number,
  path: readonly Uint8Array[],
): Uint8Array {
  if (!areSizes(leafIndex, treeSize) || leafIndex >= treeSize) {
    refuse("the leaf lies outside the tree", { leafIndex, treeSize });
  }
  checkLengths([leafHash, ...path]);
  return foldPath(leafHash, path, pathSides(leafIndex, treeSize));
}

/** RFC 9162 section 2.1.4.2. Throws `proof_invalid` unless the tree of `treeSize` extends that of `previousSize`. */
export function verifyConsistency(
  previousSize: number,
  treeSize: number,
  path: readonly Uint8Array[],
  previousRoot: Uint8Array,
  root: Uint8Array,
): void {
  if (!areSizes(previousSize, treeSize) || previousSize < 1 || previousSize > treeSize) {
    refuse("the sizes do not follow each other", { previousSize, treeSize });
  }
  checkLengths([...path, previousRoot, root]);
  if (previousSize === treeSize) verifySameTree(path, previousRoot, root);
  else verifyGrowth(previousSize, treeSize, path, previousRoot, root);
}

/** On which side each node of an audit path lies, from leaf `leafIndex` up to the root of `treeSize` leaves. */
export const pathSides = (leafIndex: number, treeSize: number): Side[] => climb(leafIndex, treeSize - 1);

const areSizes = (...sizes: number[]): boolean => sizes.every((n) => Number.isSafeInteger(n) && n >= 0);

/** A byte moved from one node to its sibling would leave the hash over both as it was. */
function checkLengths(hashes: readonly Uint8Array[]): void {
  if (hashes.some((hash) => hash.length !== HASH_BYTES)) refuse("a hash is not 32 bytes long");
}

/** RFC 9162 section 2.1.3.2, steps 2 to 4: the sides from node `fn` up, where `sn` is the last node on its level. */
function climb(fn: number, sn: number): Side[] {
  const sides: Side[] = [];
  while (sn > 0) {
    const isLeft = isOdd(fn) || fn === sn;
    sides.push(isLeft ? "left" : "right");
    // A last node without a right sibling goes up unchanged until it becomes a right child.
    if (isLeft) while (!isOdd(fn) && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    [fn, sn] = [half(fn), half(sn)];
  }
  return sides;
}

/** The hash to which `path` leads from `node`, each of its nodes being on the side that `sides` says. */
function foldPath(node: Uint8Array, path: readonly Uint8Array[], sides: readonly Side[]): Uint8Array {
  checkPathLength(path, sides);
  return path.reduce((r, p, i) => (sides[i] === "left" ? hashNode(p, r) : hashNode(r, p)), node);
}

/** RFC 9162 section 2.1.3.2, steps 4a and 5: a path has one node for each step, and no more. */
function checkPathLength({ length }: readonly Uint8Array[], sides: readonly Side[]): void {
  if (length > sides.length) refuse("the path is too long", { length });
  if (length < sides.length) refuse("the path is too short", { length });
}

/** A tree is consistent with itself if it has one root; that takes no path. */
function verifySameTree(path: readonly Uint8Array[], previousRoot: Uint8Array, root: Uint8Array): void {
  if (path.length > 0) refuse("equal sizes need no consistency path");
  if (!equalBytes(previousRoot, root)) refuse("one size has two roots");
}

/** RFC 9162 section 2.1.4.2, steps 2 to 7: one path leads to both roots. */
function verifyGrowth(
  previousSize: number,
  treeSize: number,
  path: readonly Uint8Array[],
  previousRoot: Uint8Array,
  root: Uint8Array,
): void {
  let [fn, sn] = [previousSize - 1, treeSize - 1];
  while (isOdd(fn)) [fn, sn] = [half(fn), half(sn)];
  // Where the old tree is one complete subtree, its root is the first node and the path does not repeat it.
  const [first, ...rest] = fn === 0 ? [previousRoot, ...path] : path;
  if (first === undefined) refuse("the consistency path is empty");
  const sides = climb(fn, sn);
  const sr = foldPath(first, rest, sides);
  const lefts = rest.filter((_, i) => sides[i] === "left");
  const fr = lefts.reduce((node, p) => hashNode(p, node), first);
  if (!equalBytes(fr, previousRoot)) refuse("the consistency path leads to another previous root");
  if (!equalBytes(sr, root)) refuse("the consistency path leads to another root");
}

function refuse(message: string, evidence: ErrorFacts = {}): never {
  throw new DisclosureError("proof_invalid", message, evidence);
}
