// DER (ITU-T X.690 sections 8, 10 and 11): the one spelling of each value, and a refusal of every other.
// Why not a library: docs/decisions/0005-own-der-reader.md.
import { DisclosureError } from "../../errors.ts";

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
/** Real tokens nest some fifteen deep; without a limit, nesting would exhaust the stack. */
const MAX_DEPTH = 32;
/** Real tokens have some hundred values a certificate, so under a thousand; 64 KiB could hold half of 64 Ki. */
const MAX_VALUES = 8_192;
/** The longest identifier read here has eleven octets; arithmetic on one of 64 KiB would take half a second. */
const MAX_OID_OCTETS = 64;
/** A length of 0x80 and above says in its other bits how many octets of length follow. */
const LONG_FORM = 0x80;
/** 2^32 bytes are more than anything read here has. */
const MAX_LENGTH_OCTETS = 4;

/** How many values may still come. */
interface Budget {
  left: number;
}

const isConstructed = (tag: number): boolean => (tag & CONSTRUCTED) !== 0;

/** The one DER value that `bytes` are. Throws `malformed` for BER that is not DER, and for trailing bytes. */
export function parseDer(bytes: Uint8Array): DerValue {
  const value = readValue(bytes, 0, { left: MAX_VALUES });
  if (value.bytes.length !== bytes.length) refuse("expected one ASN.1 value and nothing after it");
  return value;
}

/** The value that `bytes` begin with. */
function readValue(bytes: Uint8Array, depth: number, budget: Budget): DerValue {
  if (budget.left-- === 0) refuse("there are too many values");
  const tag = bytes[0] ?? refuse("expected an ASN.1 value");
  requireTagForm(tag);
  const { start, length } = readLength(bytes);
  if (start + length > bytes.length) refuse("a value is cut short");
  const content = bytes.subarray(start, start + length);
  const children = isConstructed(tag) ? readValues(content, depth + 1, budget) : [];
  const value = { tag, bytes: bytes.subarray(0, start + length), content, children };
  requireCanonicalContent(value);
  return value;
}

function readValues(content: Uint8Array, depth: number, budget: Budget): DerValue[] {
  if (depth > MAX_DEPTH) refuse("values are nested too deep");
  const values: DerValue[] = [];
  for (let rest = content; rest.length > 0; ) {
    const value = readValue(rest, depth, budget);
    values.push(value);
    rest = rest.subarray(value.bytes.length);
  }
  return values;
}

function requireTagForm(tag: number): void {
  if ((tag & TAG_NUMBER) === TAG_NUMBER) refuse("no structure read here has a tag above 30");
  const isUniversal = (tag & CLASS_BITS) === 0;
  const isCollection = COLLECTIONS.has(tag & TAG_NUMBER);
  if (isUniversal && isCollection !== isConstructed(tag)) refuse("a string is split into pieces");
}

/** Where the contents start, and how long they are. */
function readLength(bytes: Uint8Array): { start: number; length: number } {
  const first = bytes[1] ?? refuse("a length is missing");
  if (first < LONG_FORM) return { start: 2, length: first };
  const start = 2 + first - LONG_FORM;
  const digits = bytes.subarray(2, start);
  const length = digits.reduce((total, digit) => total * 256 + digit, 0);
  const isShortest = length >= LONG_FORM && digits[0] !== 0 && digits.length <= MAX_LENGTH_OCTETS;
  if (!isShortest) refuse("a length is not in its shortest definite form");
  return { start, length };
}

function requireCanonicalContent({ tag, content, children }: DerValue): void {
  if (tag === Tag.boolean && !isBoolean(content)) refuse("a BOOLEAN is neither 00 nor FF");
  if (tag === Tag.integer && !isShortestInteger(content)) refuse("an INTEGER is not in its shortest form");
  if (tag === Tag.bitString && !isBitString(content)) refuse("a BIT STRING has unused bits that are set");
  if (tag === Tag.null && content.length > 0) refuse("a NULL is not empty");
  if (tag === Tag.objectIdentifier && !isObjectIdentifier(content))
    refuse("an OBJECT IDENTIFIER is padded or absurdly long");
  if (tag === Tag.set && !isSorted(children)) refuse("the members of a SET are not in DER order");
}

const isBoolean = (content: Uint8Array): boolean =>
  content.length === 1 && (content[0] === 0x00 || content[0] === 0xff);

function isShortestInteger(content: Uint8Array): boolean {
  const [first, second] = content;
  if (first === undefined) return false;
  if (second === undefined) return true;
  return !(first === 0x00 && second < 0x80) && !(first === 0xff && second >= 0x80);
}

/** The first octet counts the unused bits of the last one; those must be zero, or a usage could hide in them. */
function isBitString(content: Uint8Array): boolean {
  const [unused = 8] = content;
  const last = content.length > 1 ? (content.at(-1) ?? 0) : 0;
  const isCounted = content.length > 1 ? unused < 8 : unused === 0;
  return isCounted && (last & ((1 << unused) - 1)) === 0;
}

/** Each arc is base 128 with a continuation bit; a leading 80 is a zero digit that says nothing. */
const isObjectIdentifier = (content: Uint8Array): boolean =>
  content.length <= MAX_OID_OCTETS &&
  (content.at(-1) ?? 0x80) < 0x80 &&
  content.every((byte, i) => byte !== 0x80 || (i > 0 && (content[i - 1] ?? 0) >= 0x80));

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
