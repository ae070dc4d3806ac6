// X.509 certificates (RFC 5280 section 4.1), read as far as a timestamp's chain of trust needs them.

import { equalBytes } from "../../bytes.ts";
import { DisclosureError } from "../../errors.ts";
import { type AlgorithmIdentifier, readAlgorithm } from "./algorithms.ts";
import { type DerValue, parseDer, Tag } from "./der.ts";
import {
  type DerFields,
  onlyChild,
  readBitString,
  readBoolean,
  readObjectIdentifier,
  readSequence,
} from "./der-fields.ts";
import { readTime } from "./generalized-time.ts";

/** `value` is DER, read only where it is obeyed: extensions nobody knows may hold anything. */
export type Extension = { readonly critical: boolean; readonly value: Uint8Array };

export type Certificate = {
  readonly der: Uint8Array;
  /** The signed part, as it was signed. */
  readonly tbs: Uint8Array;
  /** DER of the names; equal names are equal bytes here. */
  readonly issuer: DerValue;
  readonly subject: DerValue;
  /** The contents of the INTEGER. */
  readonly serialNumber: Uint8Array;
  /** RFC 3339. */
  readonly notBefore: string;
  readonly notAfter: string;
  /** DER of SubjectPublicKeyInfo. */
  readonly publicKeyInfo: DerValue;
  /** By object identifier. */
  readonly extensions: ReadonlyMap<string, Extension>;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Uint8Array;
};

/** Throws `malformed` unless `der` is one DER certificate. */
export const parseCertificate = (der: Uint8Array): Certificate => readCertificate(parseDer(der));

export function readCertificate(value: DerValue): Certificate {
  return readSequence(value, (fields) => {
    const tbs = fields.next(Tag.sequence);
    const algorithm = fields.next(Tag.sequence);
    const signature = readBitString(fields.next(Tag.bitString));
    const read = readSequence(tbs, (inner) => readTbs(inner, algorithm));
    return {
      der: value.bytes,
      tbs: tbs.bytes,
      ...read,
      signatureAlgorithm: readAlgorithm(algorithm),
      signature,
    };
  });
}

function readTbs(fields: DerFields, algorithm: DerValue) {
  fields.optional(Tag.context(0)); // version
  const serialNumber = fields.next(Tag.integer).content;
  // RFC 5280 section 4.1.1.2. The algorithm outside is not signed; this copy of it is.
  if (!equalBytes(fields.next(Tag.sequence).bytes, algorithm.bytes)) {
    throw new DisclosureError("malformed", "a certificate names two signature algorithms");
  }
  const issuer = fields.next(Tag.sequence);
  const validity = readValidity(fields.next(Tag.sequence));
  const subject = fields.next(Tag.sequence);
  const publicKeyInfo = fields.next(Tag.sequence);
  fields.optional(Tag.contextPrimitive(1)); // issuerUniqueID
  fields.optional(Tag.contextPrimitive(2)); // subjectUniqueID
  const extensions = readExtensions(fields.optional(Tag.context(3)));
  return { serialNumber, issuer, ...validity, subject, publicKeyInfo, extensions };
}

function readValidity({ children: [notBefore, notAfter, ...others] }: DerValue) {
  if (notBefore === undefined || notAfter === undefined || others.length > 0) {
    throw new DisclosureError("malformed", "expected a certificate's two times");
  }
  return { notBefore: readTime(notBefore), notAfter: readTime(notAfter) };
}

function readExtensions(wrapper: DerValue | undefined): ReadonlyMap<string, Extension> {
  const entries = wrapper === undefined ? [] : onlyChild(wrapper).children.map(readExtension);
  const extensions = new Map(entries);
  // Two readers could each obey another of two extensions of one kind.
  if (extensions.size === entries.length) return extensions;
  throw new DisclosureError("malformed", "a certificate has an extension twice");
}

/** One Extension and its object identifier. Throws `malformed`. */
export const readExtension = (extension: DerValue): [string, Extension] =>
  readSequence(extension, (fields) => {
    const oid = readObjectIdentifier(fields.next(Tag.objectIdentifier));
    const critical = fields.optional(Tag.boolean);
    const value = fields.next(Tag.octetString).content;
    return [oid, { critical: critical !== undefined && readBoolean(critical), value }];
  });
