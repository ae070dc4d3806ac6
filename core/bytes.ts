// Bytes and their strict text forms: one byte string has exactly one accepted spelling.
import { bytesToHex, hexToBytes, concatBytes as nobleConcat } from "@noble/hashes/utils.js";
import { DisclosureError } from "./errors.ts";

const UTF8 = new TextEncoder();
const LOWER_HEX = /^(?:[0-9a-f]{2})*$/;
// With the length checked apart: a group for every four letters overflows the stack on a text of megabytes.
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

export const utf8 = (text: string): Uint8Array => UTF8.encode(text);

export const concatBytes: (...parts: Uint8Array[]) => Uint8Array = nobleConcat;

/** Equality of public bytes; it returns early and so must never see a secret. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

export const formatHex = (bytes: Uint8Array): string => bytesToHex(bytes);

/** Lower-case hex of even length. Throws `malformed`. */
export function parseHex(text: string): Uint8Array {
  if (!LOWER_HEX.test(text)) throw new DisclosureError("malformed", "expected lower-case hex of even length");
  return hexToBytes(text);
}

export const formatBase64 = (bytes: Uint8Array): string =>
  btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""));

/** RFC 4648 section 4 with padding, no line breaks, no stray trailing bits. Throws `malformed`. */
export function parseBase64(text: string): Uint8Array {
  if (text.length % 4 !== 0 || !BASE64.test(text)) {
    throw new DisclosureError("malformed", "expected padded base64");
  }
  const latin1 = atob(text);
  // Two spellings of one byte string would let a changed character go unnoticed.
  if (btoa(latin1) !== text) throw new DisclosureError("malformed", "base64 has stray trailing bits");
  return Uint8Array.from(latin1, (c) => c.charCodeAt(0));
}
