// Bytes and their strict text forms: one byte string has exactly one accepted spelling.
import { bytesToHex, concatBytes as nobleConcat } from "@noble/hashes/utils.js";
import { DisclosureError } from "./errors.ts";

const UTF8 = new TextEncoder();
/**
 * Each ASCII character's value as a digit. Other characters get `none`, a bit that no digit has, so one OR over all digits
 * shows whether any was none.
 */
const digitsOf = (alphabet: string, none: number): Uint8Array =>
  Uint8Array.from({ length: 128 }, (_, code) => {
    const value = alphabet.indexOf(String.fromCharCode(code));
    return value < 0 ? none : value;
  });
const NO_HEX_DIGIT = 16;
const HEX_DIGITS = digitsOf("0123456789abcdef", NO_HEX_DIGIT);
const NO_BASE64_DIGIT = 64;
const BASE64_DIGITS = digitsOf(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
  NO_BASE64_DIGIT,
);

export const utf8 = (text: string): Uint8Array => UTF8.encode(text);

export const concatBytes: (...parts: Uint8Array[]) => Uint8Array = nobleConcat;

/** Equality of public bytes; it returns early and so must never see a secret. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

export const formatHex = (bytes: Uint8Array): string => bytesToHex(bytes);

/** Lower-case hex of even length. Throws `malformed`. */
export function parseHex(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length >> 1);
  let seen = text.length % 2 === 0 ? 0 : NO_HEX_DIGIT;
  for (let i = 0; i < bytes.length; i++) {
    const high = HEX_DIGITS[text.charCodeAt(2 * i)] ?? NO_HEX_DIGIT;
    const low = HEX_DIGITS[text.charCodeAt(2 * i + 1)] ?? NO_HEX_DIGIT;
    seen |= high | low;
    bytes[i] = (high << 4) | low;
  }
  if (seen >= NO_HEX_DIGIT) throw new DisclosureError("malformed", "expected lower-case hex of even length");
  return bytes;
}

export const formatBase64 = (bytes: Uint8Array): string =>
  btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""));

/** RFC 4648 section 4 with padding, no line breaks, no stray trailing bits. Throws `malformed`. */
export function parseBase64(text: string): Uint8Array {
  if (text.length % 4 !== 0) throw new DisclosureError("malformed", "expected padded base64");
  const padding = text.endsWith("==") ? 2 : Number(text.endsWith("="));
  // As zeros, what was left out makes whole groups; what they add is behind the last byte, where nothing is kept.
  const digits = `${text.slice(0, text.length - padding)}${"A".repeat(padding)}`;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let [seen, group] = [0, 0];
  for (let i = 0, at = 0; i < digits.length; i += 4, at += 3) {
    const [a, b] = [base64Digit(digits, i), base64Digit(digits, i + 1)];
    const [c, d] = [base64Digit(digits, i + 2), base64Digit(digits, i + 3)];
    seen |= a | b | c | d;
    group = (a << 18) | (b << 12) | (c << 6) | d;
    bytes[at] = group >> 16;
    bytes[at + 1] = group >> 8;
    bytes[at + 2] = group;
  }
  if (seen >= NO_BASE64_DIGIT) throw new DisclosureError("malformed", "expected padded base64");
  // Two spellings of one byte string would let a changed character go unnoticed.
  const stray = group & (2 ** (8 * padding) - 1);
  if (stray !== 0) throw new DisclosureError("malformed", "base64 has stray trailing bits");
  return bytes;
}

const base64Digit = (text: string, at: number): number =>
  BASE64_DIGITS[text.charCodeAt(at)] ?? NO_BASE64_DIGIT;
