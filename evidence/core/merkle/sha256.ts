// SHA-256 (FIPS 180-4) in plain JavaScript, for browsers: their own answers later, and proofs need dozens in a row.
// Node takes sha256-node.ts in its place; the package's `imports` say which of them `#sha256` is.
import { sha256 as noble } from "@noble/hashes/sha2.js";

const HASH_BYTES = 32;
// A new hasher for each message costs more than hashing a node. So there is one, set back to the start each time; nothing
// here waits, so no two messages ever meet in it.
const START = noble.create();
const HASHER = noble.create();
const DIGEST = new Uint8Array(HASH_BYTES);

/** The 32 bytes of the hash. */
export function sha256(message: Uint8Array): Uint8Array {
  START._cloneInto(HASHER);
  HASHER.update(message).digestInto(DIGEST);
  return DIGEST.slice();
}
