// The signing-certificate attributes (RFC 5035, RFC 5816): which certificate the signer meant to sign with.
import { sha1 } from "@noble/hashes/legacy.js";
import { equalBytes, formatHex } from "../bytes.ts";
import { DisclosureError } from "../errors.ts";
import { digest, digestNameOf, readAlgorithm } from "./algorithms.ts";
import type { Certificate } from "./certificate.ts";
import { type DerValue, Tag } from "./der.ts";
import { DerFields, onlyChild, requireTag } from "./der-fields.ts";
import type { SignedAttributes } from "./signed-attributes.ts";
import { check } from "./token-check.ts";

const SIGNING_CERTIFICATE = "1.2.840.113549.1.9.16.2.12";
const SIGNING_CERTIFICATE_V2 = "1.2.840.113549.1.9.16.2.47";

/**
 * Throws `token_invalid` unless ESSCertID or ESSCertIDv2, whichever the token has, is this certificate's.
 * Without it, another certificate over the same key could be put under a token.
 */
export function verifySigningCertificate(attributes: SignedAttributes, certificate: Certificate): void {
  const first = attributes.get(SIGNING_CERTIFICATE);
  const second = attributes.get(SIGNING_CERTIFICATE_V2);
  const isNamed = first !== undefined || second !== undefined;
  check(isNamed, "signing_certificate", "the signer does not say which certificate it signs with");
  // SHA-1 is what ESSCertID is defined with. It serves against a second preimage here, which it still withstands.
  if (first) verifyCertId(firstCertId(first), certificate, () => sha1(certificate.der));
  if (second) verifyCertId(firstCertId(second), certificate, (fields) => hashAsNamed(fields, certificate));
}

/** The first member of `certs` is the signer's; those after it may restrict its chain. */
function firstCertId(signingCertificate: DerValue): DerFields {
  const [certId] = new DerFields(signingCertificate).next(Tag.sequence).children;
  if (certId === undefined) throw new DisclosureError("malformed", "a signing certificate names none");
  return new DerFields(certId);
}

/** ESSCertIDv2 opens with hashAlgorithm DEFAULT SHA-256. */
function hashAsNamed(fields: DerFields, { der }: Certificate): Uint8Array {
  const algorithm = fields.optional(Tag.sequence);
  return digest(algorithm === undefined ? "SHA-256" : digestNameOf(readAlgorithm(algorithm)), der);
}

function verifyCertId(
  fields: DerFields,
  certificate: Certificate,
  hashCertificate: (fields: DerFields) => Uint8Array,
): void {
  const expected = hashCertificate(fields);
  const actual = fields.next(Tag.octetString).content;
  check(equalBytes(actual, expected), "signing_certificate", "the signer meant another certificate", {
    expected: formatHex(expected),
    actual: formatHex(actual),
  });
  const issuerSerial = fields.optional(Tag.sequence);
  fields.end();
  if (issuerSerial !== undefined) verifyIssuerSerial(issuerSerial, certificate);
}

/** IssuerSerial (RFC 5035 section 5): GeneralNames holding the one directoryName [4], and the serial number. */
function verifyIssuerSerial(value: DerValue, { issuer, serialNumber }: Certificate): void {
  const fields = new DerFields(value);
  const name = onlyChild(requireTag(onlyChild(fields.next(Tag.sequence)), Tag.context(4)));
  const serial = fields.next(Tag.integer).content;
  fields.end();
  const isSame = equalBytes(name.bytes, issuer.bytes) && equalBytes(serial, serialNumber);
  check(isSame, "signing_certificate_issuer_serial", "the signer meant a certificate of another issuer", {
    expected: formatHex(serialNumber),
    actual: formatHex(serial),
  });
}
