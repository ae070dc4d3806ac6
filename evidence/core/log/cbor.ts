// As much deterministic CBOR (RFC 8949 section 4.2.1) as a COSE receipt needs: integers, byte and text strings, arrays,
// maps with integers as keys, tags and null. One value has exactly one accepted form.
import { concatBytes, equalBytes, utf8 } from "../bytes.ts";
import { DisclosureError } from "../errors.ts";

export type CborMap = ReadonlyMap<number, CborValue>;
export type CborValue = number | string | null | Uint8Array | readonly CborValue[] | CborMap | CborTag;

/** A value under a tag (RFC 8949 section 3.4). */
export class CborTag {
  readonly tag: number;
  readonly value: CborValue;

  constructor(tag: number, value: CborValue) {
    this.tag = tag;
    this.value = value;
  }
}

/** A COSE receipt nests five deep. */
const MAX_DEPTH = 8;
/** The high three bits of an item's first byte (RFC 8949 section 3.1). */
const MAJOR = { unsigned: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5, tag: 6 } as const;
const MAJOR_SHIFT = 5;
const ARGUMENT_BITS = 0x1f;
/** Arguments below this one stand in the first byte; from here on they follow it, in 1, 2, 4 or 8 bytes. */
const FIRST_LONG_ARGUMENT = 24;
const LONG_ARGUMENT_BYTES = [1, 2, 4, 8] as const;
const NULL = 0xf6;
const BYTE = 0x100;

/** Throws `malformed` for a number that is no safe integer. */
export function formatCbor(value: CborValue): Uint8Array {
  if (value === null) return Uint8Array.of(NULL);
  if (typeof value === "number") return formatInteger(value);
  if (typeof value === "string") return formatString(MAJOR.text, utf8(value));
  if (value instanceof Uint8Array) return formatString(MAJOR.bytes, value);
  if (value instanceof CborTag) {
    return concatBytes(formatHead(MAJOR.tag, value.tag), formatCbor(value.value));
  }
  if (isMap(value)) return formatMap(value);
  return concatBytes(formatHead(MAJOR.array, value.length), ...value.map(formatCbor));
}

/**
 * Reads one item that is all of `bytes`. Throws `malformed` for what this profile does not hold, and for every form of
 * a value but the deterministic one: a longer length, an unsorted or doubled key, an indefinite length.
 */
export function parseCbor(bytes: Uint8Array): CborValue {
  const reader = new CborReader(bytes);
  const value = reader.readItem(0);
  // The deterministic form is the one that the writer gives: to write again is to compare with all of its rules.
  if (equalBytes(formatCbor(value), bytes)) return value;
  throw malformed("the CBOR is not in its deterministic form");
}

export const isMap = (value: CborValue | undefined): value is CborMap => value instanceof Map;

const formatString = (major: number, bytes: Uint8Array): Uint8Array =>
  concatBytes(formatHead(major, bytes.length), bytes);

/** Keys stand in the order of their encoded bytes. */
function formatMap(map: CborMap): Uint8Array {
  const pairs = [...map].map(([key, value]) => [formatCbor(key), formatCbor(value)] as const);
  const sorted = pairs.toSorted(([a], [b]) => compareBytes(a, b));
  return concatBytes(formatHead(MAJOR.map, map.size), ...sorted.flat());
}

function formatInteger(value: number): Uint8Array {
  requireSafe(value);
  return value >= 0 ? formatHead(MAJOR.unsigned, value) : formatHead(MAJOR.negative, -1 - value);
}

function formatHead(major: number, argument: number): Uint8Array {
  const first = major << MAJOR_SHIFT;
  if (argument < FIRST_LONG_ARGUMENT) return Uint8Array.of(first | argument);
  const at = LONG_ARGUMENT_BYTES.findIndex((length) => argument < BYTE ** length);
  const bytes = new Uint8Array(LONG_ARGUMENT_BYTES[at] ?? 0);
  for (let i = bytes.length - 1, rest = argument; i >= 0; i--, rest = Math.floor(rest / BYTE)) {
    bytes[i] = rest % BYTE;
  }
  return concatBytes(Uint8Array.of(first | (FIRST_LONG_ARGUMENT + at)), bytes);
}

class CborReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  readItem(depth: number): CborValue {
    if (depth > MAX_DEPTH) throw malformed("the CBOR is nested too deep");
    const first = this.#take(1)[0] ?? 0;
    if (first === NULL) return null;
    const argument = this.#readArgument(first & ARGUMENT_BITS);
    const major = first >> MAJOR_SHIFT;
    if (major === MAJOR.unsigned) return argument;
    if (major === MAJOR.negative) return -1 - argument;
    if (major === MAJOR.bytes) return this.#take(argument);
    if (major === MAJOR.text) return decodeText(this.#take(argument));
    if (major === MAJOR.array) return this.#readArray(argument, depth);
    if (major === MAJOR.map) return this.#readMap(argument, depth);
    if (major === MAJOR.tag) return new CborTag(argument, this.readItem(depth + 1));
    throw malformed("the CBOR holds a value that this profile does not know");
  }

  #readArray(length: number, depth: number): CborValue[] {
    // No array has so many places as a length may say.
    this.#requireBytes(length);
    return Array.from({ length }, () => this.readItem(depth + 1));
  }

  /** A doubled key leaves one of the two out, so the form written again differs. */
  #readMap(length: number, depth: number): CborMap {
    const map = new Map<number, CborValue>();
    for (let i = 0; i < length; i++) {
      const key = this.readItem(depth + 1);
      if (typeof key !== "number") throw malformed("a key of a CBOR map is no integer");
      map.set(key, this.readItem(depth + 1));
    }
    return map;
  }

  #readArgument(bits: number): number {
    if (bits < FIRST_LONG_ARGUMENT) return bits;
    const length = LONG_ARGUMENT_BYTES[bits - FIRST_LONG_ARGUMENT];
    if (length === undefined) throw malformed("the CBOR holds an indefinite or a reserved length");
    const argument = this.#take(length).reduce((sum, byte) => sum * BYTE + byte, 0);
    requireSafe(argument);
    return argument;
  }

  #take(length: number): Uint8Array {
    this.#requireBytes(length);
    const taken = this.#bytes.slice(this.#at, this.#at + length);
    this.#at += length;
    return taken;
  }

  /** Each item has a byte at least, so a length beyond the bytes that are left is none. */
  #requireBytes(length: number): void {
    if (length > this.#bytes.length - this.#at) throw malformed("the CBOR ends too early");
  }
}

function requireSafe(value: number): void {
  if (!Number.isSafeInteger(value)) throw malformed("CBOR of this profile holds safe integers alone");
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new DisclosureError("malformed", "a text in the CBOR is not UTF-8", {}, cause);
  }
}

/** The order of two encoded keys. Neither is the other, nor begins with it. */
function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, i) => byte !== b[i]);
  return (a[at] ?? 0) - (b[at] ?? 0);
}

const malformed = (message: string): DisclosureError => new DisclosureError("malformed", message);
