// Canonical JSON (RFC 8785) and the strict reading of JSON that it needs to be meaningful.
import canonicalizeValue from "canonicalize";
import { utf8 } from "./bytes.ts";
import { DisclosureError } from "./errors.ts";

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [name: string]: JsonValue };

/** Deeper than anything that we exchange, shallow enough for any stack. */
export const MAX_JSON_DEPTH = 32;

/** The characters of 1e9. */
const SHORTEST_EXPONENTIAL = 3;
/** An integer of this many digits is one that a double holds exactly, so its token need not be looked at. */
const SAFE_DIGITS = 15;

// The text is known to be JSON when its tokens are walked, so a token's first character says what it is.
const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [ZERO, NINE] = [0x30, 0x39];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** JCS(value) as text. Throws `malformed` for what JSON can't say exactly (NaN, a lone surrogate). */
export function canonicalize(value: unknown): string {
  try {
    const text = canonicalizeValue(value);
    if (text !== undefined) return text;
  } catch (cause) {
    throw new DisclosureError("malformed", "the value has no canonical JSON form", {}, cause);
  }
  throw new DisclosureError("malformed", "the value has no JSON form");
}

/** JCS(value) in UTF-8: the bytes that are hashed. */
export const canonicalBytes = (value: unknown): Uint8Array => utf8(canonicalize(value));

/**
 * Reads JSON and refuses what two readers could understand differently: bytes that are not UTF-8, doubled
 * member names, numbers that a double can't hold, lone surrogates, and nesting beyond MAX_JSON_DEPTH.
 * Throws `not_json`.
 */
export function parseJson(input: Uint8Array | string): JsonValue {
  const text = typeof input === "string" ? input : decodeUtf8(input);
  const value = parseLoosely(text);
  checkTokens(text);
  return value;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new DisclosureError("not_json", "this is not UTF-8", {}, cause);
  }
}

function parseLoosely(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw new DisclosureError("not_json", "this is not JSON", {}, cause);
  }
}

/** Walks the tokens once; an object's frame is the set of its member names, an array's stays empty. */
function checkTokens(text: string): void {
  const frames: Set<string>[] = [];
  let lastString = "";
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at + 1);
      lastString = readString(text, at, end);
      at = end;
    } else if (code >= ZERO && code <= NINE) {
      // A minus before it is left out: a double holds both or neither.
      const end = endOfNumber(text, at);
      checkNumber(text, at, end);
      at = end;
    } else {
      if (code === COLON) addName(frames.at(-1), lastString);
      else if (code === OPEN_OBJECT || code === OPEN_LIST) openFrame(frames);
      else if (code === CLOSE_OBJECT || code === CLOSE_LIST) frames.pop();
      at++;
    }
  }
}

/** The position after the closing quote: the first one that is not escaped. */
function endOfString(text: string, position: number): number {
  let at = text.indexOf('"', position);
  while (isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at + 1;
}

/** Before a quote that belongs to its string, the backslashes do not come in pairs. The opening quote ends them. */
function isEscaped(text: string, quote: number): boolean {
  let start = quote;
  while (text.charCodeAt(start - 1) === BACKSLASH) start--;
  return (quote - start) % 2 === 1;
}

function readString(text: string, start: number, end: number): string {
  const inside = text.slice(start + 1, end - 1);
  const value = inside.includes("\\") ? (JSON.parse(text.slice(start, end)) as string) : inside;
  if (!value.isWellFormed()) throw new DisclosureError("not_json", "a string holds a lone surrogate");
  return value;
}

function addName(frame: Set<string> | undefined, name: string): void {
  // RFC 8259 leaves doubled names open: one reader would hash the first value and another the last.
  if (frame?.has(name)) throw new DisclosureError("not_json", "an object has two members of one name");
  frame?.add(name);
}

function openFrame(frames: Set<string>[]): void {
  if (frames.length === MAX_JSON_DEPTH) throw new DisclosureError("not_json", "the nesting is too deep");
  frames.push(new Set());
}

/** JSON lets a number be followed by one of these or by nothing, after white space, which is no part of its value. */
function endOfNumber(text: string, position: number): number {
  let at = position;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === COMMA || code === CLOSE_LIST || code === CLOSE_OBJECT) break;
  }
  return at;
}

function checkNumber(text: string, start: number, end: number): void {
  if (end - start < SHORTEST_EXPONENTIAL) return;
  const token = text.slice(start, end);
  if (token.length <= SAFE_DIGITS && !/[eE]/.test(token)) return;
  const value = Number(token);
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
    throw new DisclosureError("not_json", "a number is beyond what a double holds exactly");
  }
}
