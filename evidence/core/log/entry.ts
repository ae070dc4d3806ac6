// An entry of a log, 64 bytes: a label by which it is found, then a hash. In the metachain, as it is published, the label of
// a chain's head and the commitment to it; in a chain, the label of a turn and the hash of its receipt's core.
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

/** The last leaf of a log that goes on with the entries that stand one behind the other in `bytes`. */
export function appendEntries(previous: TreeLeaf | null, bytes: Uint8Array): TreeLeaf | null {
  let leaf = previous;
  for (let at = 0; at < bytes.length; at += ENTRY_BYTES)
    leaf = appendEntry(leaf, bytes.subarray(at, at + ENTRY_BYTES));
  return leaf;
}

/** The part of an entry by which it is found. */
export const entryLabel = (entry: Uint8Array): Uint8Array => entry.subarray(0, LABEL_BYTES);

/** The part of an entry that commits to the head. */
export const entryCommitment = (entry: Uint8Array): Uint8Array => entry.subarray(LABEL_BYTES);
