// The identity of the development timestamp authority: a root CA and a TSA certificate under it (RFC 3161 section 2.3), both
// ECDSA P-256, made at the first start and kept. The CA's private key is discarded after its one signature.
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { BitString, fromBER, Integer, Utf8String } from "asn1js";
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate,
  Extension,
  ExtKeyUsage,
  Time,
} from "pkijs";
import { DAY_MS } from "../../contract/time.ts";
import { parseCertificatesPem } from "../../evidence/core/timestamps/x509/pem.ts";
import { secretFile } from "./secret-file.ts";

export type TimestampIdentity = {
  readonly key: KeyObject;
  readonly certificate: Certificate;
  readonly certificateDer: Uint8Array;
  /** The trust anchor. */
  readonly caCertificatePem: string;
};

type KeyPair = { readonly publicKey: KeyObject; readonly privateKey: KeyObject };

const FILE = "timestamp-authority.pem";
const VALID_YEARS = 20;
/** The certificates are backdated, so that tokens verify even if the clock is later set back a little. */
const BACKDATED_MS = DAY_MS;
const SERIAL_BYTES = 16;

const ECDSA_SHA_256 = "1.2.840.10045.4.3.2";
const COMMON_NAME = "2.5.4.3";
const TIME_STAMPING = "1.3.6.1.5.5.7.3.8";

/** The identity kept in `directory`, which is made if there is none. */
export function loadTimestampIdentity(directory: string, now: Date): TimestampIdentity {
  mkdirSync(directory, { recursive: true });
  return parseIdentity(secretFile(join(directory, FILE), () => createIdentity(now)));
}

/** One file holds key and certificates, so that a crash can't leave one without the other. */
export function parseIdentity(text: string): TimestampIdentity {
  const [certificateDer = new Uint8Array(), ca = new Uint8Array()] = parseCertificatesPem(text);
  const certificate = Certificate.fromBER(new Uint8Array(certificateDer));
  return { key: createPrivateKey(text), certificate, certificateDer, caCertificatePem: formatPem(ca) };
}

/** PEM of the TSA's key, its certificate, and the CA's. */
export function createIdentity(now: Date): string {
  const caKeys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const tsaKeys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ca = buildCertificate("Root CA", caKeys, now, caExtensions());
  const tsa = buildCertificate("Timestamp Authority", tsaKeys, now, tsaExtensions());
  tsa.issuer = ca.subject;
  const certificates = [tsa, ca].map((certificate) => signCertificate(certificate, caKeys.privateKey));
  const key = tsaKeys.privateKey.export({ type: "pkcs8", format: "pem" });
  return [key, ...certificates.map(formatPem)].join("");
}

/** Self-issued and not yet signed. */
function buildCertificate(
  name: string,
  { publicKey }: KeyPair,
  now: Date,
  extensions: Extension[],
): Certificate {
  const certificate = new Certificate({ version: 2, serialNumber: randomInteger(), extensions });
  // pkijs would put several attributes into one SET, and not in DER order, so there is one.
  const value = new Utf8String({ value: `Disclosure Receipts Development ${name}` });
  certificate.subject.typesAndValues.push(new AttributeTypeAndValue({ type: COMMON_NAME, value }));
  certificate.issuer = certificate.subject;
  certificate.notBefore = new Time({ value: new Date(now.getTime() - BACKDATED_MS) });
  certificate.notAfter = new Time({ value: new Date(now.getTime()) });
  certificate.notAfter.value.setUTCFullYear(now.getUTCFullYear() + VALID_YEARS);
  const publicKeyInfo = publicKey.export({ type: "spki", format: "der" });
  certificate.subjectPublicKeyInfo.fromSchema(fromBER(publicKeyInfo).result);
  return certificate;
}

/** A random positive INTEGER in its shortest form. */
export function randomInteger(): Integer {
  const digits = randomBytes(SERIAL_BYTES);
  digits[0] = ((digits[0] ?? 0) & 0x7f) | 0x40;
  return new Integer({ valueHex: new Uint8Array(digits) });
}

const caExtensions = (): Extension[] => [
  extension("2.5.29.19", new BasicConstraints({ cA: true, pathLenConstraint: 0 }).toSchema()),
  extension("2.5.29.15", new BitString({ valueHex: Uint8Array.of(0x06), unusedBits: 1 })), // keyCertSign, cRLSign
];

const tsaExtensions = (): Extension[] => [
  extension("2.5.29.15", new BitString({ valueHex: Uint8Array.of(0x80), unusedBits: 7 })), // digitalSignature
  extension("2.5.29.37", new ExtKeyUsage({ keyPurposes: [TIME_STAMPING] }).toSchema()),
];

const extension = (extnID: string, value: { toBER: () => ArrayBuffer }): Extension =>
  new Extension({ extnID, critical: true, extnValue: value.toBER() });

function signCertificate(certificate: Certificate, key: KeyObject): Uint8Array {
  certificate.signature = new AlgorithmIdentifier({ algorithmId: ECDSA_SHA_256 });
  certificate.signatureAlgorithm = new AlgorithmIdentifier({ algorithmId: ECDSA_SHA_256 });
  const tbs = new Uint8Array(certificate.encodeTBS().toBER());
  certificate.signatureValue = new BitString({ valueHex: new Uint8Array(sign("sha256", tbs, key)) });
  return new Uint8Array(certificate.toSchema(true).toBER());
}

const formatPem = (der: Uint8Array): string => {
  const lines =
    Buffer.from(der)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
};
