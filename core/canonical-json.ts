// Canonical JSON (RFC 8785) and the strict reading of JSON that it needs to be meaningful.
import canonicalizeValue from "canonicalize";
import { utf8 } from "./bytes.ts";
import { DisclosureError } from "./errors.ts";

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [name: string]: JsonValue };

/** Deeper than anything that we exchange, shallow enough for any stack. */
export const MAX_JSON_DEPTH = 32;

// The text is known to be JSON when these run: one finds where a token begins, one where a string may end.
const TOKEN_START = /["{}[\],:]|-?\d[\d.eE+-]*/g;
const QUOTE_OR_ESCAPE = /["\\]/g;

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

/** Walks the tokens once; an object's frame is the set of its member names, an array's is null. */
function checkTokens(text: string): void {
  const frames: (Set<string> | null)[] = [];
  let lastString = "";
  let end = 0;
  for (let token = tokenAfter(text, end); token !== null; token = tokenAfter(text, end)) {
    end = token.start + token.text.length;
    if (token.text === '"') {
      end = endOfString(text, end);
      lastString = readString(text.slice(token.start, end));
    } else if (token.text === ":") addName(frames.at(-1), lastString);
    else if (token.text === "{" || token.text === "[") openFrame(frames, token.text);
    else if (token.text === "}" || token.text === "]") frames.pop();
    else if (token.text !== ",") checkNumber(token.text);
  }
}

function tokenAfter(text: string, position: number): { start: number; text: string } | null {
  TOKEN_START.lastIndex = position;
  const match = TOKEN_START.exec(text);
  return match === null ? null : { start: match.index, text: match[0] };
}

/** The position after the closing quote. One pattern for a whole string would overflow the stack on a long one. */
function endOfString(text: string, position: number): number {
  for (QUOTE_OR_ESCAPE.lastIndex = position; ; QUOTE_OR_ESCAPE.lastIndex++) {
    const match = QUOTE_OR_ESCAPE.exec(text);
    if (match === null) throw new DisclosureError("not_json", "a string does not end");
    if (match[0] === '"') return match.index + 1;
  }
}

function readString(token: string): string {
  const text = JSON.parse(token) as string;
  if (!text.isWellFormed()) throw new DisclosureError("not_json", "a string holds a lone surrogate");
  return text;
}

function addName(frame: Set<string> | null | undefined, name: string): void {
  // RFC 8259 leaves doubled names open: one reader would hash the first value and another the last.
  if (frame?.has(name)) throw new DisclosureError("not_json", "an object has two members of one name");
  frame?.add(name);
}

function openFrame(frames: (Set<string> | null)[], bracket: "{" | "["): void {
  if (frames.length === MAX_JSON_DEPTH) throw new DisclosureError("not_json", "the nesting is too deep");
  frames.push(bracket === "{" ? new Set() : null);
}

function checkNumber(token: string): void {
  const value = Number(token);
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
    throw new DisclosureError("not_json", "a number is beyond what a double holds exactly");
  }
}
