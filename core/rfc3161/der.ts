// DER (ITU-T X.690 sections 8, 10 and 11): asn1js reads the bytes, this file refuses every spelling but the one.
import { type AsnType, Constructed, fromBER } from "asn1js";
import { equalBytes } from "../bytes.ts";
import { DisclosureError } from "../errors.ts";

/** Identifier octets. `context` is a constructed context-specific tag, `contextPrimitive` a primitive one. */
export const Tag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
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
const MAX_DEPTH = 32;

const isConstructed = (tag: number): boolean => (tag & CONSTRUCTED) !== 0;

/** The one DER value that `bytes` are. Throws `malformed` for BER that is not DER, and for trailing bytes. */
export function parseDer(bytes: Uint8Array): DerValue {
  const { offset, result } = fromBER(bytes, { maxDepth: MAX_DEPTH });
  if (offset !== bytes.length) refuse("expected one ASN.1 value and nothing after it");
  return readNode(result);
}

function readNode(node: AsnType): DerValue {
  const bytes = node.valueBeforeDecodeView;
  const content = bytes.subarray(node.idBlock.blockLength + node.lenBlock.blockLength);
  const tag = bytes[0] ?? 0;
  requireHeader(bytes, tag, content.length);
  const children = isConstructed(tag) && node instanceof Constructed ? readChildren(node, content) : [];
  const value = { tag, bytes, content, children };
  requireCanonicalContent(value);
  return value;
}

function readChildren(node: Constructed, content: Uint8Array): DerValue[] {
  const children = node.valueBlock.value.map(readNode);
  const size = children.reduce((total, child) => total + child.bytes.length, 0);
  if (size !== content.length) refuse("the values inside a constructed value do not fill it");
  return children;
}

function requireHeader(bytes: Uint8Array, tag: number, contentLength: number): void {
  if ((tag & TAG_NUMBER) === TAG_NUMBER) refuse("no structure read here has a tag above 30");
  const header = bytes.subarray(1, bytes.length - contentLength);
  if (!equalBytes(header, formatLength(contentLength)))
    refuse("a length is not in its shortest definite form");
  const isUniversal = (tag & CLASS_BITS) === 0;
  const isCollection = COLLECTIONS.has(tag & TAG_NUMBER);
  if (isUniversal && isCollection !== isConstructed(tag)) refuse("a string is split into pieces");
}

function formatLength(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length);
  const digits: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  return Uint8Array.of(0x80 | digits.length, ...digits);
}

function requireCanonicalContent({ tag, content, children }: DerValue): void {
  if (tag === Tag.boolean && !isBoolean(content)) refuse("a BOOLEAN is neither 00 nor FF");
  if (tag === Tag.integer && !isShortestInteger(content)) refuse("an INTEGER is not in its shortest form");
  if (tag === Tag.objectIdentifier && !isObjectIdentifier(content)) refuse("an OBJECT IDENTIFIER is padded");
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

/** Each arc is base 128 with a continuation bit; a leading 80 is a zero digit that says nothing. */
function isObjectIdentifier(content: Uint8Array): boolean {
  const arcStarts = content.filter((_, i) => i === 0 || (content[i - 1] ?? 0) < 0x80);
  return (content.at(-1) ?? 0x80) < 0x80 && arcStarts.every((byte) => byte !== 0x80);
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
