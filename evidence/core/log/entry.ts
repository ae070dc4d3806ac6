// An entry of the metachain, as it is published: the label of a chain's head, then the commitment to it.
import { DisclosureError } from "../errors.ts";
import type { CrossTenantProof } from "../formats/compliance-receipt.ts";
import { hashChainHead } from "../formats/metachain.ts";
import { HASH_BYTES, hashLeaf, parseNode } from "../merkle/hash.ts";
import { pathSides } from "../merkle/merkle-proof.ts";
import { appendLeaf, sizeAt, type TreeLeaf } from "../merkle/merkle-tree.ts";

export const LABEL_BYTES = HASH_BYTES;
export const ENTRY_BYTES = LABEL_BYTES + HASH_BYTES;

/** The leaf of the next entry of a log. Throws `proof_invalid` for one of another length. */
export function appendEntry(previous: TreeLeaf | null, entry: Uint8Array): TreeLeaf {
  if (entry.length !== ENTRY_BYTES) {
    const place = sizeAt(previous);
    throw new DisclosureError("proof_invalid", `entry ${place} does not have ${ENTRY_BYTES} bytes`);
  }
  return appendLeaf(previous, hashLeaf(entry));
}

/** The part of an entry by which it is found. */
export const entryLabel = (entry: Uint8Array): Uint8Array => entry.subarray(0, LABEL_BYTES);

/**
 * The leaf of the entry that a proof leads from. The nodes on the left of its path are the complete subtrees before it, so
 * a walk over the log can begin there; it is believed once it ends at a published root.
 */
export function leafOfProof({ leaf, leaf_index, tree_size, path }: CrossTenantProof): TreeLeaf {
  const sides = pathSides(leaf_index, tree_size);
  const leftPath = path.filter((_, i) => sides[i] === "left").map(parseNode);
  return { leafIndex: leaf_index, leafHash: hashChainHead(leaf), leftPath };
}
