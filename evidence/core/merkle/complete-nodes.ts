// The nodes of a Merkle tree that an inclusion path shows (RFC 9162 section 2.1.3). A subtree that is complete never
// changes again in an append-only log, so its hash is the same in every later proof.
import { hashNode, parseNode } from "./hash.ts";
import { half, isOdd } from "./index-arithmetic.ts";
import { pathSides } from "./merkle-proof.ts";

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

/** The complete subtrees on the way from the leaf to the root, and the siblings on that way which are complete. */
export function completeNodes(leafHash: Uint8Array, proof: InclusionProof): TreeNode[] {
  const sides = pathSides(proof.leaf_index, proof.tree_size);
  const nodes: TreeNode[] = [{ level: 0, place: proof.leaf_index, hash: leafHash }];
  let [level, place, hash] = [0, proof.leaf_index, leafHash];
  for (const [i, text] of proof.path.entries()) {
    const isRight = sides[i] === "left";
    // A left sibling is that of a right child: a last node goes up unchanged until it is one.
    if (isRight) while (!isOdd(place)) [level, place] = [level + 1, half(place)];
    const sibling = parseNode(text);
    nodes.push({ level, place: isRight ? place - 1 : place + 1, hash: sibling });
    hash = isRight ? hashNode(sibling, hash) : hashNode(hash, sibling);
    [level, place] = [level + 1, half(place)];
    nodes.push({ level, place, hash });
  }
  return nodes.filter((node) => (node.place + 1) * 2 ** node.level <= proof.tree_size);
}
