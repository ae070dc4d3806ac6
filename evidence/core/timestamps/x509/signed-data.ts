// CMS SignedData (RFC 5652 section 5.1), the envelope of a timestamp token: its content, certificates and signers.

import { type Certificate, readCertificate } from "./certificate.ts";
import { type DerValue, Tag } from "./der.ts";
import {
  type DerFields,
  onlyChild,
  readObjectIdentifier,
  readSequence,
  readSmallInteger,
  requireTag,
} from "./der-fields.ts";
import { LIMITS } from "./limits.ts";
import { readSignerInfo, type SignerInfo } from "./signer-info.ts";
import { judgeable } from "./token-check.ts";

export type SignedData = {
  readonly contentType: string;
  readonly content: Uint8Array;
  readonly certificates: readonly Certificate[];
  readonly signers: readonly SignerInfo[];
};

/** Throws `malformed` unless `value` is a SignedData that holds its content, `token_open` for too many certificates. */
export const readSignedData = (value: DerValue): SignedData => readSequence(value, readMembers);

function readMembers(fields: DerFields): SignedData {
  readSmallInteger(fields.next(Tag.integer)); // version: follows from what the rest holds
  fields.next(Tag.set); // digestAlgorithms: a hint for one-pass readers
  const encapsulated = readEncapsulated(fields.next(Tag.sequence));
  const certificates = readCertificates(fields.optional(Tag.context(0)));
  fields.optional(Tag.context(1)); // crls
  const signers = fields.next(Tag.set).children.map(readSignerInfo);
  return { ...encapsulated, certificates, signers };
}

const readEncapsulated = (value: DerValue) =>
  readSequence(value, (fields) => ({
    contentType: readObjectIdentifier(fields.next(Tag.objectIdentifier)),
    content: requireTag(onlyChild(fields.next(Tag.context(0))), Tag.octetString).content,
  }));

/** CertificateSet; attribute certificates and the like, which have tags of their own, are skipped. */
function readCertificates(set: DerValue | undefined): Certificate[] {
  const certificates = set?.children.filter(({ tag }) => tag === Tag.sequence) ?? [];
  const [expected, actual] = [LIMITS.certificates, certificates.length];
  const tooMany = "it holds too many certificates";
  judgeable(actual <= expected, "beyond_verifier", "encoding", tooMany, { expected, actual });
  return certificates.map(readCertificate);
}
