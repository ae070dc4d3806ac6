// The signing-certificate attributes (RFC 5035, RFC 5816): which certificate the signer meant to sign with.
import { sha1 } from "@noble/hashes/legacy.js";
import { equalBytes, formatHex } from "../bytes.ts";
import { DisclosureError } from "../errors.ts";
import { digest, digestNameOf, readAlgorithm } from "./x509/algorithms.ts";
import type { Certificate } from "./x509/certificate.ts";
import { type DerValue, Tag } from "./x509/der.ts";
import { type DerFields, onlyChild, readSequence, requireTag } from "./x509/der-fields.ts";
import type { SignedAttributes } from "./x509/signed-attributes.ts";
import { check } from "./x509/token-check.ts";

const SIGNING_CERTIFICATE = "1.2.840.113549.1.9.16.2.12";
const SIGNING_CERTIFICATE_V2 = "1.2.840.113549.1.9.16.2.47";

/** ESSCertID or ESSCertIDv2: a certificate by its hash. */
type CertId = {
  readonly hash: Uint8Array;
  readonly hashCertificate: (der: Uint8Array) => Uint8Array;
  readonly issuerSerial: DerValue | undefined;
};

/**
 * Throws `token_invalid` unless ESSCertID or ESSCertIDv2, whichever the token has, is this certificate's.
 * Without it, another certificate over the same key could be put under a token.
 */
export function verifySigningCertificate(attributes: SignedAttributes, certificate: Certificate): void {
  const lists = readCertIds(attributes);
  check(lists.length > 0, "signing_certificate", "the signer does not say which certificate it signs with");
  for (const [first] of lists) {
    if (first === undefined) throw new DisclosureError("malformed", "a signing certificate names none");
    verifyCertId(first, certificate);
  }
}

/**
 * RFC 5035 section 5.4: a signer that names more certificates than its own lets its chain lead through no others.
 * Without it, a cross-signed issuer that the signer did not mean would do.
 */
export function permittedCertificates(
  attributes: SignedAttributes,
  certificates: readonly Certificate[],
): readonly Certificate[] {
  const limits = readCertIds(attributes).filter((list) => list.length > 1);
  return certificates.filter((certificate) =>
    limits.every((list) => list.some((certId) => isNamedBy(certId, certificate))),
  );
}

/** The certificates that each attribute of the token names, the signer's first. */
function readCertIds(attributes: SignedAttributes): CertId[][] {
  const first = attributes.get(SIGNING_CERTIFICATE);
  const second = attributes.get(SIGNING_CERTIFICATE_V2);
  return [
    ...(first === undefined ? [] : [certIdsOf(first).map(readCertId)]),
    ...(second === undefined ? [] : [certIdsOf(second).map(readCertIdV2)]),
  ];
}

/** SigningCertificate and SigningCertificateV2: the ids, and policies, which limit nothing when none is asked for. */
const certIdsOf = (signingCertificate: DerValue): readonly DerValue[] =>
  readSequence(signingCertificate, (fields) => {
    const ids = fields.next(Tag.sequence).children;
    for (const policy of fields.optional(Tag.sequence)?.children ?? []) requireTag(policy, Tag.sequence);
    return ids;
  });

// SHA-1 is what ESSCertID is defined with. It serves against a second preimage here, which it still withstands.
const readCertId = (value: DerValue): CertId => readSequence(value, (fields) => readRest(fields, sha1));

/** ESSCertIDv2 opens with hashAlgorithm DEFAULT SHA-256. */
const readCertIdV2 = (value: DerValue): CertId =>
  readSequence(value, (fields) => {
    const algorithm = fields.optional(Tag.sequence);
    const name = algorithm === undefined ? "SHA-256" : digestNameOf(readAlgorithm(algorithm));
    return readRest(fields, (der) => digest(name, der));
  });

const readRest = (fields: DerFields, hashCertificate: CertId["hashCertificate"]): CertId => ({
  hashCertificate,
  hash: fields.next(Tag.octetString).content,
  issuerSerial: fields.optional(Tag.sequence),
});

const isNamedBy = ({ hash, hashCertificate }: CertId, { der }: Certificate): boolean =>
  equalBytes(hash, hashCertificate(der));

function verifyCertId(certId: CertId, certificate: Certificate): void {
  check(isNamedBy(certId, certificate), "signing_certificate", "the signer meant another certificate", {
    expected: formatHex(certId.hashCertificate(certificate.der)),
    actual: formatHex(certId.hash),
  });
  if (certId.issuerSerial !== undefined) verifyIssuerSerial(certId.issuerSerial, certificate);
}

/** IssuerSerial (RFC 5035 section 5): GeneralNames holding the one directoryName [4], and the serial number. */
function verifyIssuerSerial(value: DerValue, { issuer, serialNumber }: Certificate): void {
  const { name, serial } = readSequence(value, (fields) => ({
    name: onlyChild(requireTag(onlyChild(fields.next(Tag.sequence)), Tag.context(4))),
    serial: fields.next(Tag.integer).content,
  }));
  const isSame = equalBytes(name.bytes, issuer.bytes) && equalBytes(serial, serialNumber);
  check(isSame, "signing_certificate_issuer_serial", "the signer meant a certificate of another issuer", {
    expected: formatHex(serialNumber),
    actual: formatHex(serial),
  });
}
