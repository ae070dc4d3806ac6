// The certificate extensions that decide what a key may be used for (RFC 5280 section 4.2.1).
import { DisclosureError, isDisclosureError } from "../../errors.ts";
import type { Certificate } from "./certificate.ts";
import { type DerValue, parseDer, Tag } from "./der.ts";
import {
  readBoolean,
  readObjectIdentifier,
  readSequence,
  readSmallInteger,
  requireTag,
} from "./der-fields.ts";

const AUTHORITY_KEY_IDENTIFIER = "2.5.29.35";
const SUBJECT_KEY_IDENTIFIER = "2.5.29.14";
const KEY_USAGE = "2.5.29.15";
const BASIC_CONSTRAINTS = "2.5.29.19";
const NAME_CONSTRAINTS = "2.5.29.30";
const CERTIFICATE_POLICIES = "2.5.29.32";
const EXTENDED_KEY_USAGE = "2.5.29.37";

/** Extensions that may be critical: those obeyed here, and policies, which limit nothing when none is asked for. */
const UNDERSTOOD: ReadonlySet<string> = new Set([
  KEY_USAGE,
  BASIC_CONSTRAINTS,
  CERTIFICATE_POLICIES,
  EXTENDED_KEY_USAGE,
]);

/** KeyUsage bits (RFC 5280 section 4.2.1.3), all in the first octet of the BIT STRING. */
export const KeyUsage = { digitalSignature: 0x80, nonRepudiation: 0x40, keyCertSign: 0x04 } as const;

export type ExtendedKeyUsage = { readonly critical: boolean; readonly purposes: readonly string[] };
export type BasicConstraints = { readonly isCa: boolean; readonly pathLength: number };

/**
 * The extensions that this verifier would have to obey and does not: a certificate that has one can't be judged. Name
 * constraints bind every verifier (RFC 5280 section 4.2): some CAs leave them uncritical for the sake of old ones.
 */
export const disobeyedExtensions = ({ extensions }: Certificate): string[] =>
  [...extensions]
    .filter(([oid, { critical }]) => oid === NAME_CONSTRAINTS || (critical && !UNDERSTOOD.has(oid)))
    .map(([oid]) => oid);

/** True if one of the usages is allowed. A certificate that says nothing about usage allows all. */
export function allowsKeyUsage({ extensions }: Certificate, usages: number): boolean {
  const usage = extensions.get(KEY_USAGE);
  if (usage === undefined) return true;
  const [, bits = 0] = requireTag(parseDer(usage.value), Tag.bitString).content;
  return (bits & usages) !== 0;
}

/** True if the certificate names a usage beside these. One that says nothing about usage names none. */
export function allowsOtherKeyUsage({ extensions }: Certificate, usages: number): boolean {
  const usage = extensions.get(KEY_USAGE);
  if (usage === undefined) return false;
  const [, bits = 0, ...others] = requireTag(parseDer(usage.value), Tag.bitString).content;
  return (bits & ~usages) !== 0 || others.some((octet) => octet !== 0);
}

/** Null where the certificate says nothing about purposes. */
export function extendedKeyUsageOf({ extensions }: Certificate): ExtendedKeyUsage | null {
  const usage = extensions.get(EXTENDED_KEY_USAGE);
  if (usage === undefined) return null;
  const purposes = requireTag(parseDer(usage.value), Tag.sequence).children.map(readObjectIdentifier);
  return { critical: usage.critical, purposes };
}

/** No CA where the certificate says nothing; `pathLength` is Infinity where it sets no limit. */
export function basicConstraintsOf({ extensions }: Certificate): BasicConstraints {
  const constraints = extensions.get(BASIC_CONSTRAINTS);
  if (constraints === undefined) return { isCa: false, pathLength: 0 };
  return readSequence(parseDer(constraints.value), (fields) => {
    const isCa = fields.optional(Tag.boolean);
    const pathLength = fields.optional(Tag.integer);
    return {
      isCa: isCa !== undefined && readBoolean(isCa),
      pathLength: pathLength === undefined ? Number.POSITIVE_INFINITY : readSmallInteger(pathLength),
    };
  });
}

/** Null where the certificate has none that can be read. */
export const subjectKeyIdentifierOf = (certificate: Certificate): Uint8Array | null =>
  readIdentifier(certificate, SUBJECT_KEY_IDENTIFIER, (value) => requireTag(value, Tag.octetString));

/** The identifier of the issuer's key: keyIdentifier [0], which comes first. Null as above. */
export const authorityKeyIdentifierOf = (certificate: Certificate): Uint8Array | null =>
  readIdentifier(certificate, AUTHORITY_KEY_IDENTIFIER, ({ tag, children: [first] }) => {
    if (tag === Tag.sequence && first !== undefined) return requireTag(first, Tag.contextPrimitive(0));
    throw new DisclosureError("malformed", "expected the identifier of a key");
  });

/** An identifier helps to find a certificate and proves nothing, so that one which can't be read is none. */
function readIdentifier(
  { extensions }: Certificate,
  oid: string,
  read: (value: DerValue) => DerValue,
): Uint8Array | null {
  const extension = extensions.get(oid);
  if (extension === undefined) return null;
  try {
    return read(parseDer(extension.value)).content;
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    return null;
  }
}
