// Bytes and their strict text forms: one byte string has exactly one accepted spelling.
import { bytesToHex, concatBytes as nobleConcat } from "@noble/hashes/utils.js";
import { DisclosureError } from "./errors.ts";

const UTF8 = new TextEncoder();
/** Above every digit's value, and in no bit of one. */
const NO_DIGIT = 16;
/** The values of ASCII's characters as lower-case hex digits. */
const HEX_DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = "0123456789abcdef".indexOf(String.fromCharCode(code));
  return value < 0 ? NO_DIGIT : value;
});
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
  const bytes = new Uint8Array(text.length >> 1);
  let seen = text.length % 2 === 0 ? 0 : NO_DIGIT;
  for (let i = 0; i < bytes.length; i++) {
    const high = HEX_DIGITS[text.charCodeAt(2 * i)] ?? NO_DIGIT;
    const low = HEX_DIGITS[text.charCodeAt(2 * i + 1)] ?? NO_DIGIT;
    seen |= high | low;
    bytes[i] = (high << 4) | low;
  }
  if (seen >= NO_DIGIT) throw new DisclosureError("malformed", "expected lower-case hex of even length");
  return bytes;
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
