// SHA-256 and the domain-separated hashes of RFC 9162 section 2.1.1, with their two text forms.
import { sha256 } from "@noble/hashes/sha2.js";
import { formatHex, parseHex } from "../bytes.ts";
import { DisclosureError } from "../errors.ts";

export const HASH_BYTES = 32;

const LEAF_PREFIX = Uint8Array.of(0x00);
const NODE_PREFIX = 0x01;

// Verifying a receipt takes dozens of hashes, and a new hasher for each costs more than hashing a node. So there is one,
// set back to the start each time; nothing here waits, so no two hashes ever meet in it.
const START = sha256.create();
const HASHER = sha256.create();
const DIGEST = new Uint8Array(HASH_BYTES);
const NODE = Uint8Array.of(NODE_PREFIX, ...new Uint8Array(2 * HASH_BYTES));

export const hashBytes = (bytes: Uint8Array): Uint8Array => hashParts(bytes);

/** SHA-256(0x00 ‖ entry). The prefix stops a node from being passed off as a leaf. */
export const hashLeaf = (entry: Uint8Array): Uint8Array => hashParts(LEAF_PREFIX, entry);

/** SHA-256(0x01 ‖ left ‖ right), each of 32 bytes. Throws `malformed`. */
export function hashNode(left: Uint8Array, right: Uint8Array): Uint8Array {
  if (left.length !== HASH_BYTES || right.length !== HASH_BYTES) {
    throw new DisclosureError("malformed", "a node has two children of 32 bytes");
  }
  NODE.set(left, 1);
  NODE.set(right, 1 + HASH_BYTES);
  return hashParts(NODE);
}

function hashParts(...parts: readonly Uint8Array[]): Uint8Array {
  START._cloneInto(HASHER);
  for (const part of parts) HASHER.update(part);
  HASHER.digestInto(DIGEST);
  return DIGEST.slice();
}

/** `sha256:` and hex: hashes that people recompute from JSON. */
export const formatDigest = (hash: Uint8Array): string => `sha256:${formatHex(hash)}`;

/** `0x` and hex: Merkle nodes and roots. */
export const formatNode = (hash: Uint8Array): string => `0x${formatHex(hash)}`;

/** Throws `malformed` unless `text` is `sha256:` and 64 lower-case hex digits. */
export const parseDigest = (text: string): Uint8Array => parsePrefixed("sha256:", text);

/** Throws `malformed` unless `text` is `0x` and 64 lower-case hex digits. */
export const parseNode = (text: string): Uint8Array => parsePrefixed("0x", text);

function parsePrefixed(prefix: string, text: string): Uint8Array {
  if (text.length !== prefix.length + 2 * HASH_BYTES || !text.startsWith(prefix)) {
    throw new DisclosureError("malformed", `expected ${prefix} and ${2 * HASH_BYTES} lower-case hex digits`);
  }
  return parseHex(text.slice(prefix.length));
}
