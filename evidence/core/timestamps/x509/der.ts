// DER (ITU-T X.690 sections 8, 10 and 11): the one spelling of each value. What is well-formed BER in another spelling, or
// larger than what is read here, is told apart from what is neither: the first can't be judged, the second is damaged.
// Why not a library: docs/decisions/0005-own-der-reader.md.
import { DisclosureError } from "../../errors.ts";
import { LIMITS } from "./limits.ts";
import { judgeable } from "./token-check.ts";

/** Identifier octets. `context` is a constructed context-specific tag, `contextPrimitive` a primitive one. */
export const Tag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  context: (number: number): number => 0xa0 | number,
  contextPrimitive: (number: number): number => 0x80 | number,
} as const;

/** One value: its identifier octet, all its bytes, its contents, and the values inside if it is constructed. */
export type DerValue = {
  readonly tag: number;
  readonly bytes: Uint8Array;
  readonly content: Uint8Array;
  readonly children: readonly DerValue[];
};

const CONSTRUCTED = 0x20;
const CLASS_BITS = 0xc0;
/** All ones announce a tag number in further octets. */
const TAG_NUMBER = 0x1f;
/** The numbers of SEQUENCE and SET. */
const COLLECTIONS: ReadonlySet<number> = new Set([0x10, 0x11]);
/** X.690 sections 8.2 to 8.5, 8.8, 8.19 and 8.20: BOOLEAN, INTEGER, NULL, OBJECT IDENTIFIER, REAL, ENUMERATED, RELATIVE-OID. */
const NEVER_CONSTRUCTED: ReadonlySet<number> = new Set([1, 2, 5, 6, 9, 10, 13]);
/** A length of 0x80 and above says in its other bits how many octets of length follow. */
const LONG_FORM = 0x80;
/** 2^32 bytes are more than anything read here has. */
const MAX_LENGTH_OCTETS = 4;
/** An octet of a tag number or of an arc from here on is followed by another one. */
const CONTINUED = 0x80;

/** How many values may still come, and in what the ones so far are not DER; null where they are. */
interface DerReading {
  left: number;
  otherForm: string | null;
}

const isConstructed = (tag: number): boolean => (tag & CONSTRUCTED) !== 0;

/**
 * The one DER value that `bytes` are. Throws `malformed` for bytes that are no BER and for trailing ones, `token_open` for BER
 * that is not DER, and beyond the limits.
 */
export function parseDer(bytes: Uint8Array): DerValue {
  const reading: DerReading = { left: LIMITS.values, otherForm: null };
  const value = readValue(bytes, 0, reading);
  if (value.bytes.length !== bytes.length) refuse("expected one ASN.1 value and nothing after it");
  if (reading.otherForm !== null) refuseAsBeyond(`it is not in DER: ${reading.otherForm}`);
  return value;
}

/** The value that `bytes` begin with. */
function readValue(bytes: Uint8Array, depth: number, reading: DerReading): DerValue {
  if (reading.left-- === 0) refuseAsBeyond("there are too many values");
  const tag = bytes[0] ?? refuse("expected an ASN.1 value");
  const { start, length } = readHeader(bytes, tag, reading);
  if (length === null) return readUntilEnd(bytes, start, depth, reading);
  if (start + length > bytes.length) refuse("a value is cut short");
  const content = bytes.subarray(start, start + length);
  const children = isConstructed(tag) ? readValues(content, depth + 1, reading) : [];
  const value = { tag, bytes: bytes.subarray(0, start + length), content, children };
  requireContent(value, reading);
  return value;
}

function readValues(content: Uint8Array, depth: number, reading: DerReading): DerValue[] {
  requireDepth(depth);
  const values: DerValue[] = [];
  for (let rest = content; rest.length > 0; ) {
    const value = readValue(rest, depth, reading);
    values.push(value);
    rest = rest.subarray(value.bytes.length);
  }
  return values;
}

/** A value of indefinite length (X.690 section 8.1.3.6), which is never DER: it ends with two zero octets. */
function readUntilEnd(bytes: Uint8Array, start: number, depth: number, reading: DerReading): DerValue {
  requireDepth(depth + 1);
  let end = start;
  while (bytes[end] !== 0 || bytes[end + 1] !== 0)
    end += readValue(bytes.subarray(end), depth + 1, reading).bytes.length;
  return {
    tag: bytes[0] ?? 0,
    bytes: bytes.subarray(0, end + 2),
    content: bytes.subarray(start, end),
    children: [],
  };
}

function requireDepth(depth: number): void {
  if (depth > LIMITS.depth) refuseAsBeyond("values are nested too deep");
}

/** Where the contents start, and how long they are; null for an indefinite length. */
function readHeader(
  bytes: Uint8Array,
  tag: number,
  reading: DerReading,
): { start: number; length: number | null } {
  if ((tag & CLASS_BITS) === 0) requireUniversal(tag, reading);
  if ((tag & TAG_NUMBER) !== TAG_NUMBER) return readLength(bytes, 1, reading);
  reading.otherForm ??= `no structure read here has a tag above ${LIMITS.tagNumber}`;
  const last = bytes.findIndex((octet, i) => i > 0 && octet < CONTINUED);
  return last === -1 ? refuse("a tag is cut short") : readLength(bytes, last + 1, reading);
}

/** SEQUENCE and SET have parts, numbers have none, and strings have parts in BER alone. */
function requireUniversal(tag: number, reading: DerReading): void {
  const isCollection = COLLECTIONS.has(tag & TAG_NUMBER);
  const hasParts = isConstructed(tag);
  if (isCollection && !hasParts) refuse("a SEQUENCE or SET holds no values");
  if (hasParts && NEVER_CONSTRUCTED.has(tag & TAG_NUMBER)) refuse("a value that has no parts has some");
  if (hasParts && !isCollection) reading.otherForm ??= "a string is split into pieces";
}

function readLength(
  bytes: Uint8Array,
  at: number,
  reading: DerReading,
): { start: number; length: number | null } {
  const first = bytes[at] ?? refuse("a length is missing");
  if (first < LONG_FORM) return { start: at + 1, length: first };
  if (first === LONG_FORM) {
    if (!isConstructed(bytes[0] ?? 0)) refuse("a value without parts has no length");
    reading.otherForm ??= "a length is indefinite";
    return { start: at + 1, length: null };
  }
  const start = at + 1 + first - LONG_FORM;
  const digits = bytes.subarray(at + 1, start);
  const length = digits.reduce((total, digit) => total * 256 + digit, 0);
  const isShortest = length >= LONG_FORM && digits[0] !== 0 && digits.length <= MAX_LENGTH_OCTETS;
  if (!isShortest) reading.otherForm ??= "a length is not in its shortest form";
  return { start, length };
}

/** Throws `malformed` for contents that BER does not allow. Contents that only DER does not allow are noted. */
function requireContent(value: DerValue, reading: DerReading): void {
  const { tag, content, children } = value;
  const rule = CONTENTS.get(tag);
  if (rule !== undefined && !rule.isBer(content))
    refuse(`a value with tag ${tag} has contents that none has`);
  if (rule?.isDer?.(content) === false) reading.otherForm ??= `a value with tag ${tag} is padded`;
  if (tag === Tag.set && !isSorted(children)) reading.otherForm ??= "the members of a SET are not in order";
  if (tag === Tag.objectIdentifier && content.length > LIMITS.identifierOctets)
    refuseAsBeyond("an OBJECT IDENTIFIER is absurdly long");
}

interface ContentRule {
  readonly isBer: (content: Uint8Array) => boolean;
  readonly isDer?: (content: Uint8Array) => boolean;
}

const CONTENTS: ReadonlyMap<number, ContentRule> = new Map([
  [
    Tag.boolean,
    { isBer: ({ length }) => length === 1, isDer: ([octet]) => octet === 0x00 || octet === 0xff },
  ],
  [Tag.integer, { isBer: ({ length }) => length > 0, isDer: isShortestInteger }],
  [Tag.bitString, { isBer: hasCountedBits, isDer: hasZeroPadding }],
  [Tag.null, { isBer: ({ length }) => length === 0 }],
  [Tag.objectIdentifier, { isBer: isObjectIdentifier }],
]);

function isShortestInteger([first, second]: Uint8Array): boolean {
  if (second === undefined) return true;
  return !(first === 0x00 && second < 0x80) && !(first === 0xff && second >= 0x80);
}

/** The first octet counts the unused bits of the last one. */
function hasCountedBits({ 0: unused = 8, length }: Uint8Array): boolean {
  return length > 1 ? unused < 8 : unused === 0;
}

/** Unused bits must be zero, or a usage could hide in them. */
function hasZeroPadding(content: Uint8Array): boolean {
  const [unused = 0] = content;
  const last = content.length > 1 ? (content.at(-1) ?? 0) : 0;
  return (last & ((1 << unused) - 1)) === 0;
}

/** Each arc is base 128 with a continuation bit; a leading 80 is a zero digit that says nothing. */
function isObjectIdentifier(content: Uint8Array): boolean {
  return (
    (content.at(-1) ?? CONTINUED) < CONTINUED &&
    content.every((octet, i) => octet !== CONTINUED || (i > 0 && (content[i - 1] ?? 0) >= CONTINUED))
  );
}

/** X.690 section 11.6: ascending as octet strings. */
const isSorted = (children: readonly DerValue[]): boolean =>
  children.every((child, i) => compareBytes(children[i - 1]?.bytes ?? new Uint8Array(), child.bytes) <= 0);

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const difference = a.findIndex((byte, i) => byte !== b[i]);
  return difference === -1 ? a.length - b.length : (a[difference] ?? 0) - (b[difference] ?? -1);
}

function refuse(message: string): never {
  throw new DisclosureError("malformed", message);
}

function refuseAsBeyond(message: string): never {
  judgeable(false, "beyond_verifier", "encoding", message);
}
