// An entry of the metachain, as it is published: the label of a chain's head, then the commitment to it.
import { DisclosureError } from "../errors.ts";
import { HASH_BYTES, hashLeaf } from "../merkle/hash.ts";
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

/** The part of an entry that commits to the head. */
export const entryCommitment = (entry: Uint8Array): Uint8Array => entry.subarray(LABEL_BYTES);
