// Verification of RFC 9162 inclusion and consistency paths (sections 2.1.3.2 and 2.1.4.2); it trusts nothing.
import { equalBytes } from "../bytes.ts";
import { DisclosureError, type Evidence } from "../errors.ts";
import { HASH_BYTES, hashNode } from "./hash.ts";

const half = (n: number): number => Math.floor(n / 2);
const isOdd = (n: number): boolean => n % 2 === 1;
const areSizes = (...sizes: number[]): boolean => sizes.every((n) => Number.isSafeInteger(n) && n >= 0);

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
  if (!areSizes(leafIndex, treeSize) || leafIndex >= treeSize) {
    refuse("the leaf lies outside the tree", { leafIndex, treeSize });
  }
  checkLengths([leafHash, ...path, root]);
  let node = leafHash;
  climb(leafIndex, treeSize - 1, path, (sibling, side) => {
    node = side === "left" ? hashNode(sibling, node) : hashNode(node, sibling);
  });
  if (!equalBytes(node, root)) refuse("the inclusion path leads to another root");
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
  else climbBoth(previousSize, treeSize, path, previousRoot, root);
}

function climbBoth(
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
  let [previousNode, node] = [first, first];
  climb(fn, sn, rest, (sibling, side) => {
    if (side === "left") previousNode = hashNode(sibling, previousNode);
    node = side === "left" ? hashNode(sibling, node) : hashNode(node, sibling);
  });
  if (!equalBytes(previousNode, previousRoot)) refuse("the consistency path leads to another previous root");
  if (!equalBytes(node, root)) refuse("the consistency path leads to another root");
}

/** Visits the siblings from node `fn` up to the root of a tree whose last node on that level is `sn`. */
function climb(
  fn: number,
  sn: number,
  path: readonly Uint8Array[],
  visit: (sibling: Uint8Array, side: "left" | "right") => void,
): void {
  for (const sibling of path) {
    if (sn === 0) refuse("the path is too long", { length: path.length });
    const isLeft = isOdd(fn) || fn === sn;
    visit(sibling, isLeft ? "left" : "right");
    // A last node without a right sibling goes up unchanged until it becomes a right child.
    if (isLeft) while (!isOdd(fn) && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    [fn, sn] = [half(fn), half(sn)];
  }
  if (sn !== 0) refuse("the path is too short", { length: path.length });
}

function verifySameTree(path: readonly Uint8Array[], previousRoot: Uint8Array, root: Uint8Array): void {
  if (path.length > 0) refuse("equal sizes need no consistency path");
  if (!equalBytes(previousRoot, root)) refuse("one size has two roots");
}

/** A byte moved from one node to its sibling would leave the hash over both as it was. */
function checkLengths(hashes: readonly Uint8Array[]): void {
  if (hashes.some((hash) => hash.length !== HASH_BYTES)) refuse("a hash is not 32 bytes long");
}

function refuse(message: string, evidence: Evidence = {}): never {
  throw new DisclosureError("proof_invalid", message, evidence);
}
