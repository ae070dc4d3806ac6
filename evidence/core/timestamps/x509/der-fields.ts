// Reading DER structures member by member, in the order in which their ASN.1 modules list them.

import { DisclosureError } from "../../errors.ts";
import { type DerValue, Tag } from "./der.ts";

/**
 * What `read` makes of the members of a SEQUENCE. Throws `malformed` if it leaves any: what is not understood must not
 * pass as verified.
 */
export function readSequence<T>(value: DerValue, read: (fields: DerFields) => T): T {
  const fields = new DerFields(value);
  const result = read(fields);
  fields.end();
  return result;
}

/** The members of one SEQUENCE, first to last. */
class DerFields {
  readonly #members: readonly DerValue[];
  #position = 0;

  constructor(value: DerValue) {
    this.#members = requireTag(value, Tag.sequence).children;
  }

  /** The next member. Throws `malformed` unless it is there and has this tag. */
  next(tag: number): DerValue {
    const value = this.optional(tag);
    if (value === undefined) throw new DisclosureError("malformed", `expected a member with tag ${tag}`);
    return value;
  }

  /** The next member if it has this tag: OPTIONAL and DEFAULT members. */
  optional(tag: number): DerValue | undefined {
    const value = this.#members[this.#position];
    if (value?.tag !== tag) return undefined;
    this.#position += 1;
    return value;
  }

  /** The next member, whatever it is; undefined where there is none. */
  any(): DerValue | undefined {
    return this.#members[this.#position++];
  }

  end(): void {
    if (this.#position >= this.#members.length) return;
    throw new DisclosureError("malformed", "a structure has members that its definition does not");
  }
}

export type { DerFields };

export function requireTag(value: DerValue, tag: number): DerValue {
  if (value.tag === tag) return value;
  throw new DisclosureError("malformed", `expected tag ${tag}`, { expected: tag, actual: value.tag });
}

/** The one value inside an EXPLICIT tag or a SET of one. Throws `malformed` if there is not exactly one. */
export function onlyChild(value: DerValue): DerValue {
  const [child, ...others] = value.children;
  if (child !== undefined && others.length === 0) return child;
  throw new DisclosureError("malformed", `expected one value inside tag ${value.tag}`);
}

/** An INTEGER between 0 and 2^31 - 1, such as a version. Throws `malformed` beyond that. */
export function readSmallInteger(value: DerValue): number {
  const { content } = requireTag(value, Tag.integer);
  const number = content.reduce((total, byte) => total * 256 + byte, 0);
  if (content.length <= 4 && (content[0] ?? 0) < 0x80) return number;
  throw new DisclosureError("malformed", "expected a small non-negative INTEGER");
}

/** The octets of an INTEGER that is not negative, without its sign octet. Throws `malformed` for a negative one. */
export function readNatural(value: DerValue): Uint8Array {
  const { content } = requireTag(value, Tag.integer);
  const [first = 0] = content;
  if (first >= 0x80) throw new DisclosureError("malformed", "expected a non-negative INTEGER");
  return first === 0 ? content.subarray(1) : content;
}

export const readBoolean = (value: DerValue): boolean => requireTag(value, Tag.boolean).content[0] === 0xff;

/** A BIT STRING of whole octets, such as a public key or a signature. Throws `malformed` if bits are unused. */
export function readBitString(value: DerValue): Uint8Array {
  const { content } = requireTag(value, Tag.bitString);
  if (content[0] !== 0) throw new DisclosureError("malformed", "expected a BIT STRING of whole octets");
  return content.subarray(1);
}

/** The dotted form of an OBJECT IDENTIFIER (X.690 section 8.19). */
export function readObjectIdentifier(value: DerValue): string {
  const [joined = 0n, ...arcs] = readArcs(requireTag(value, Tag.objectIdentifier).content);
  const root = joined < 80n ? joined / 40n : 2n;
  return [root, joined - root * 40n, ...arcs].join(".");
}

function readArcs(content: Uint8Array): bigint[] {
  const arcs: bigint[] = [];
  let arc = 0n;
  for (const byte of content) {
    arc = arc * 128n + BigInt(byte & 0x7f);
    if (byte >= 0x80) continue;
    arcs.push(arc);
    arc = 0n;
  }
  return arcs;
}
