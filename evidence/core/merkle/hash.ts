// SHA-256 and the domain-separated hashes of RFC 9162 section 2.1.1, with their two text forms.
import { sha256 } from "#sha256";
import { concatBytes, formatHex, parseHex } from "../bytes.ts";
import { DisclosureError } from "../errors.ts";

export const HASH_BYTES = 32;

const LEAF_PREFIX = Uint8Array.of(0x00);
const NODE_PREFIX = 0x01;

const NODE = Uint8Array.of(NODE_PREFIX, ...new Uint8Array(2 * HASH_BYTES));

export const hashBytes = (bytes: Uint8Array): Uint8Array => sha256(bytes);

/** SHA-256(0x00 ‖ entry). The prefix stops a node from being passed off as a leaf. */
export const hashLeaf = (entry: Uint8Array): Uint8Array => sha256(concatBytes(LEAF_PREFIX, entry));

/** SHA-256(0x01 ‖ left ‖ right), each of 32 bytes. Throws `malformed`. */
export function hashNode(left: Uint8Array, right: Uint8Array): Uint8Array {
  if (left.length !== HASH_BYTES || right.length !== HASH_BYTES) {
    throw new DisclosureError("malformed", "a node has two children of 32 bytes");
  }
  NODE.set(left, 1);
  NODE.set(right, 1 + HASH_BYTES);
  return sha256(NODE);
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
