// CMS SignedData (RFC 5652 section 5.1), the envelope of a timestamp token: its content, certificates and signers.

import { DisclosureError } from "../../errors.ts";
import { type Certificate, readCertificate } from "./certificate.ts";
import { type DerValue, Tag } from "./der.ts";
import { DerFields, onlyChild, readObjectIdentifier, readSmallInteger, requireTag } from "./der-fields.ts";
import { readSignerInfo, type SignerInfo } from "./signer-info.ts";

export type SignedData = {
  readonly contentType: string;
  readonly content: Uint8Array;
  readonly certificates: readonly Certificate[];
  readonly signers: readonly SignerInfo[];
};

/** Real tokens hold two to four. */
const MAX_CERTIFICATES = 16;

/** Throws `malformed` unless `value` is a SignedData that holds its content. */
export function readSignedData(value: DerValue): SignedData {
  const fields = new DerFields(value);
  readSmallInteger(fields.next(Tag.integer)); // version: follows from what the rest holds
  fields.next(Tag.set); // digestAlgorithms: a hint for one-pass readers
  const encapsulated = readEncapsulated(fields.next(Tag.sequence));
  const certificates = readCertificates(fields.optional(Tag.context(0)));
  fields.optional(Tag.context(1)); // crls
  const signers = fields.next(Tag.set).children.map(readSignerInfo);
  fields.end();
  return { ...encapsulated, certificates, signers };
}

function readEncapsulated(value: DerValue) {
  const fields = new DerFields(value);
  const contentType = readObjectIdentifier(fields.next(Tag.objectIdentifier));
  const { content } = requireTag(onlyChild(fields.next(Tag.context(0))), Tag.octetString);
  fields.end();
  return { contentType, content };
}

/** CertificateSet; attribute certificates and the like, which have tags of their own, are skipped. */
function readCertificates(set: DerValue | undefined): Certificate[] {
  const certificates = set?.children.filter(({ tag }) => tag === Tag.sequence) ?? [];
  if (certificates.length <= MAX_CERTIFICATES) return certificates.map(readCertificate);
  throw new DisclosureError("malformed", "a SignedData holds too many certificates", {
    expected: MAX_CERTIFICATES,
    actual: certificates.length,
  });
}
