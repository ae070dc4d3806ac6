// The development timestamp authority's tokens: a TSTInfo in CMS SignedData (RFC 3161 section 2.4.2, RFC 5652).
import { createHash, sign } from "node:crypto";
import { type AsnType, ObjectIdentifier, OctetString, Sequence } from "asn1js";
import {
  Accuracy,
  AlgorithmIdentifier,
  Attribute,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
  type TimeStampReq,
  TSTInfo,
} from "pkijs";
import { SECOND_MS } from "../../contract/time.ts";
import { randomInteger, type TimestampIdentity } from "./timestamp-identity.ts";

/** A policy under the OID arc that is reserved for examples. */
export const POLICY = "2.999.3161";

const SIGNED_DATA = "1.2.840.113549.1.7.2";
const TST_INFO = "1.2.840.113549.1.9.16.1.4";
const CONTENT_TYPE = "1.2.840.113549.1.9.3";
const MESSAGE_DIGEST = "1.2.840.113549.1.9.4";
const SIGNING_CERTIFICATE_V2 = "1.2.840.113549.1.9.16.2.47";
const SHA_256 = "2.16.840.1.101.3.4.2.1";
const ECDSA_SHA_256 = "1.2.840.10045.4.3.2";
const SET_TAG = 0x31;

const sha256 = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash("sha256").update(bytes).digest());

/** The TimeStampToken for a request that was verified. */
export function signTimeStampToken(
  request: TimeStampReq,
  identity: TimestampIdentity,
  now: Date,
): ContentInfo {
  const content = new Uint8Array(buildTstInfo(request, now).toSchema().toBER());
  const encapContentInfo = new EncapsulatedContentInfo({ eContentType: TST_INFO });
  // The constructor would split it into pieces, which is BER and not DER.
  encapContentInfo.eContent = new OctetString({ valueHex: content });
  const signedData = new SignedData({
    version: 3,
    digestAlgorithms: [new AlgorithmIdentifier({ algorithmId: SHA_256 })],
    encapContentInfo,
    signerInfos: [buildSignerInfo(content, identity)],
    ...(request.certReq ? { certificates: [identity.certificate] } : {}),
  });
  return new ContentInfo({ contentType: SIGNED_DATA, content: signedData.toSchema(true) });
}

function buildTstInfo({ messageImprint, nonce }: TimeStampReq, now: Date): TSTInfo {
  // `now` rounded down to the second: genTime may be early by its accuracy, but never in the future.
  const genTime = new Date(Math.floor(now.getTime() / SECOND_MS) * SECOND_MS);
  return new TSTInfo({
    version: 1,
    policy: POLICY,
    messageImprint,
    serialNumber: randomInteger(),
    genTime,
    accuracy: new Accuracy({ seconds: 1 }),
    ...(nonce === undefined ? {} : { nonce }),
  });
}

function buildSignerInfo(
  content: Uint8Array,
  { key, certificate, certificateDer }: TimestampIdentity,
): SignerInfo {
  const signedAttrs = buildSignedAttributes(content, certificateDer);
  const set = new Uint8Array(signedAttrs.toSchema().toBER());
  // RFC 5652 section 5.4: signed as a SET, sent under [0].
  set[0] = SET_TAG;
  const { issuer, serialNumber } = certificate;
  return new SignerInfo({
    version: 1,
    sid: new IssuerAndSerialNumber({ issuer, serialNumber }),
    digestAlgorithm: new AlgorithmIdentifier({ algorithmId: SHA_256 }),
    signedAttrs,
    signatureAlgorithm: new AlgorithmIdentifier({ algorithmId: ECDSA_SHA_256 }),
    signature: new OctetString({ valueHex: new Uint8Array(sign("sha256", set, key)) }),
  });
}

function buildSignedAttributes(content: Uint8Array, certificateDer: Uint8Array): SignedAndUnsignedAttributes {
  const attributes = [
    attribute(CONTENT_TYPE, new ObjectIdentifier({ value: TST_INFO })),
    attribute(MESSAGE_DIGEST, new OctetString({ valueHex: sha256(content) })),
    attribute(SIGNING_CERTIFICATE_V2, buildSigningCertificate(certificateDer)),
  ];
  return new SignedAndUnsignedAttributes({ type: 0, attributes: attributes.toSorted(compareEncoded) });
}

const attribute = (type: string, value: AsnType): Attribute => new Attribute({ type, values: [value] });

/** SigningCertificateV2 with one ESSCertIDv2, whose hash is a SHA-256 by default. */
const buildSigningCertificate = (certificateDer: Uint8Array): Sequence => {
  const certId = new Sequence({ value: [new OctetString({ valueHex: sha256(certificateDer) })] });
  return new Sequence({ value: [new Sequence({ value: [certId] })] });
};

/** The order of a SET in DER. */
const compareEncoded = (a: Attribute, b: Attribute): number =>
  Buffer.compare(Buffer.from(a.toSchema().toBER()), Buffer.from(b.toSchema().toBER()));
