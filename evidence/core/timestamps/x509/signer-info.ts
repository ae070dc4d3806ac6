// SignerInfo, who signed a token and what exactly they signed (RFC 5652 sections 5.3 to 5.6).

import { equalBytes } from "../../bytes.ts";
import { type AlgorithmIdentifier, digestNameOf, readAlgorithm } from "./algorithms.ts";
import type { Certificate } from "./certificate.ts";
import { subjectKeyIdentifierOf } from "./certificate-extensions.ts";
import { type DerValue, Tag } from "./der.ts";
import { type DerFields, readSequence, readSmallInteger } from "./der-fields.ts";
import type { SignatureCheck } from "./signature.ts";
import { signatureSchemeOf } from "./signature-scheme.ts";
import { check } from "./token-check.ts";

/** The certificate of the signer, by one of the two names that CMS has for it. */
export type SignerIdentifier =
  | { readonly issuer: Uint8Array; readonly serialNumber: Uint8Array }
  | { readonly subjectKeyIdentifier: Uint8Array };

export type SignerInfo = {
  readonly identifier: SignerIdentifier;
  readonly digestAlgorithm: AlgorithmIdentifier;
  /** The attributes as a SET, in the order in which they were sent: the bytes that were signed. */
  readonly signedAttributes: DerValue;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Uint8Array;
};

/** Throws `malformed`, or `token_invalid` (`signed_attributes`), unless `value` is a SignerInfo. */
export const readSignerInfo = (value: DerValue): SignerInfo => readSequence(value, readMembers);

function readMembers(fields: DerFields): SignerInfo {
  readSmallInteger(fields.next(Tag.integer)); // version: says again which kind of identifier follows
  const identifier = readIdentifier(fields);
  const digestAlgorithm = readAlgorithm(fields.next(Tag.sequence));
  const signedAttributes = readSignedAttributes(fields.optional(Tag.context(0)));
  const signatureAlgorithm = readAlgorithm(fields.next(Tag.sequence));
  const signature = fields.next(Tag.octetString).content;
  fields.optional(Tag.context(1)); // unsignedAttrs: nobody vouches for them
  return { identifier, digestAlgorithm, signedAttributes, signatureAlgorithm, signature };
}

function readIdentifier(fields: DerFields): SignerIdentifier {
  const subjectKeyIdentifier = fields.optional(Tag.contextPrimitive(0))?.content;
  if (subjectKeyIdentifier !== undefined) return { subjectKeyIdentifier };
  return readSequence(fields.next(Tag.sequence), (names) => ({
    issuer: names.next(Tag.sequence).bytes,
    serialNumber: names.next(Tag.integer).content,
  }));
}

/**
 * RFC 5652 section 5.4: what is signed is the SET, not the [0] in the message. Some authorities sign it in another order
 * than DER's. Each attribute occurs once and is in DER, so that both orders say the same: the order that was sent counts
 * (docs/decisions/0005-own-der-reader.md).
 */
function readSignedAttributes(attributes: DerValue | undefined): DerValue {
  check(attributes !== undefined, "signed_attributes", "the token has no signed attributes");
  return { ...attributes, tag: Tag.set, bytes: Uint8Array.of(Tag.set, ...attributes.bytes.subarray(1)) };
}

/** The certificate that the identifier names; undefined if none does. */
export const findSignerCertificate = (
  { identifier }: SignerInfo,
  certificates: readonly Certificate[],
): Certificate | undefined => certificates.find((candidate) => isIdentifiedBy(candidate, identifier));

function isIdentifiedBy(certificate: Certificate, identifier: SignerIdentifier): boolean {
  if ("subjectKeyIdentifier" in identifier) {
    const subjectKeyIdentifier = subjectKeyIdentifierOf(certificate);
    return subjectKeyIdentifier !== null && equalBytes(subjectKeyIdentifier, identifier.subjectKeyIdentifier);
  }
  const { issuer, serialNumber } = identifier;
  return equalBytes(certificate.issuer.bytes, issuer) && equalBytes(certificate.serialNumber, serialNumber);
}

/** Throws `token_invalid` unless the signature over the signed attributes is one by the certificate's key. */
export async function verifySignature(
  signer: SignerInfo,
  { publicKeyInfo }: Certificate,
  isValidBy: SignatureCheck,
): Promise<void> {
  const digestName = digestNameOf(signer.digestAlgorithm);
  const scheme = signatureSchemeOf(signer.signatureAlgorithm);
  check(
    scheme.digest === null || scheme.digest === digestName,
    "signature_algorithm",
    "the signature uses another digest than the signer says",
    { expected: digestName, actual: scheme.digest },
  );
  const { signedAttributes, signature } = signer;
  const isValid = await isValidBy(scheme, digestName, publicKeyInfo, signedAttributes.bytes, signature);
  check(isValid, "signature", "the signature does not hold");
}
