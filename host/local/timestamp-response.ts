// The answers of the development timestamp authority: TimeStampResp for a TimeStampReq (RFC 3161 section 2.4).
import { BitString, Utf8String } from "asn1js";
import { PKIStatusInfo, TimeStampReq, TimeStampResp } from "pkijs";
import type { TimestampIdentity } from "./timestamp-identity.ts";
import { POLICY, signTimeStampToken } from "./timestamp-signer.ts";

const SHA_256 = "2.16.840.1.101.3.4.2.1";
const SHA_256_BYTES = 32;
const VERSION = 1;
const GRANTED = 0;
const REJECTION = 2;

/** Why a request is rejected: the number of a bit of PKIFailureInfo, and a text. */
class Rejection extends Error {
  readonly bit: number;

  constructor(bit: number, message: string) {
    super(message);
    this.bit = bit;
  }
}

/** DER of the TimeStampResp: a token whose genTime is the second of `now`, or a rejection that says why. */
export function answerTimeStampReq(der: Uint8Array, identity: TimestampIdentity, now: Date): Uint8Array {
  const response = grantOrReject(der, identity, now);
  return new Uint8Array(response.toSchema().toBER());
}

function grantOrReject(der: Uint8Array, identity: TimestampIdentity, now: Date): TimeStampResp {
  try {
    const request = parseRequest(der);
    verifyRequest(request);
    const timeStampToken = signTimeStampToken(request, identity, now);
    return new TimeStampResp({ status: new PKIStatusInfo({ status: GRANTED }), timeStampToken });
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return new TimeStampResp({ status: describe(error) });
  }
}

function parseRequest(der: Uint8Array): TimeStampReq {
  try {
    return TimeStampReq.fromBER(new Uint8Array(der));
  } catch {
    throw new Rejection(5, "badDataFormat: this is not a TimeStampReq");
  }
}

function verifyRequest({ version, messageImprint, reqPolicy, extensions }: TimeStampReq): void {
  const { hashAlgorithm, hashedMessage } = messageImprint;
  const hashBytes = hashedMessage.valueBlock.valueHexView.length;
  if (version !== VERSION) throw new Rejection(2, "badRequest: the version is not 1");
  if (hashAlgorithm.algorithmId !== SHA_256) throw new Rejection(0, "badAlg: the imprint must be a SHA-256");
  if (hashBytes !== SHA_256_BYTES) throw new Rejection(5, "badDataFormat: a SHA-256 has 32 bytes");
  if (reqPolicy && reqPolicy !== POLICY) throw new Rejection(15, `unacceptedPolicy: there is only ${POLICY}`);
  if (extensions?.length) throw new Rejection(16, "unacceptedExtension: none is known here");
}

function describe({ bit, message }: Rejection): PKIStatusInfo {
  const octets = new Uint8Array(Math.floor(bit / 8) + 1);
  octets[octets.length - 1] = 0x80 >> (bit % 8);
  return new PKIStatusInfo({
    status: REJECTION,
    statusStrings: [new Utf8String({ value: message })],
    failInfo: new BitString({ valueHex: octets, unusedBits: 7 - (bit % 8) }),
  });
}
