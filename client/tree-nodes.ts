// The nodes of a Merkle tree that an inclusion path shows (RFC 9162 section 2.1.3). A subtree that is complete never
// changes again in an append-only log, so its hash is the same in every later proof.
import { hashNode, parseNode } from "../core/merkle/hash.ts";

/** A proof that was verified, as receipts have it. */
export interface InclusionProof {
  readonly leaf_index: number;
  readonly tree_size: number;
  readonly path: readonly string[];
}

/** A node by its level, from the leaves up, and its place on that level. */
export interface TreeNode {
  readonly level: number;
  readonly place: number;
  readonly hash: Uint8Array;
}

/** The complete subtrees on the way from the leaf to the root, and beside it. */
export function completeNodes(leafHash: Uint8Array, proof: InclusionProof): TreeNode[] {
  const nodes: TreeNode[] = [{ level: 0, place: proof.leaf_index, hash: leafHash }];
  let [level, place, last, hash] = [0, proof.leaf_index, proof.tree_size - 1, leafHash];
  for (const text of proof.path) {
    // A last node without a right sibling goes up unchanged until it becomes a right child.
    while (place === last && place % 2 === 0 && place !== 0)
      [level, place, last] = parentOf(level, place, last);
    const sibling = parseNode(text);
    const isRight = place % 2 === 1;
    nodes.push({ level, place: isRight ? place - 1 : place + 1, hash: sibling });
    hash = isRight ? hashNode(sibling, hash) : hashNode(hash, sibling);
    [level, place, last] = parentOf(level, place, last);
    nodes.push({ level, place, hash });
  }
  return nodes.filter((node) => (node.place + 1) * 2 ** node.level <= proof.tree_size);
}

const parentOf = (level: number, place: number, last: number): [number, number, number] => [
  level + 1,
  Math.floor(place / 2),
  Math.floor(last / 2),
];
