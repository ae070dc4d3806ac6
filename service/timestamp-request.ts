// TimeStampReq and TimeStampResp, the two messages exchanged with an authority (RFC 3161 sections 2.4.1 and 2.4.2).
import { Boolean as Asn1Boolean, Integer, Null, ObjectIdentifier, OctetString, Sequence } from "asn1js";
import { DisclosureError } from "../core/errors.ts";
import { type DerValue, parseDer, Tag } from "../core/rfc3161/der.ts";
import { DerFields, readSmallInteger } from "../core/rfc3161/der-fields.ts";

const SHA_256 = "2.16.840.1.101.3.4.2.1";
const VERSION = 1;
/** RFC 3161 section 2.4.1 asks for 64 bits that do not come back. */
const NONCE_BYTES = 16;
/** granted and grantedWithMods; every other PKIStatus comes without a token. */
const GRANTED: ReadonlySet<number> = new Set([0, 1]);
/** Authorities write for people, and we keep it in logs: this much says enough. */
const MAX_STATUS_TEXT = 200;

/** The contents of a positive INTEGER that is not expected to come back: what the answer must echo. */
export function randomNonce(): Uint8Array {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  // Neither negative nor padded: the first octet is 0x40 to 0x7f, and 126 random bits are left.
  nonce[0] = ((nonce[0] ?? 0) & 0x7f) | 0x40;
  return nonce;
}

/** The DER of a TimeStampReq for `root`, which is itself the SHA-256 messageImprint; it asks for certificates. */
export function buildTimeStampReq(root: Uint8Array, nonce: Uint8Array): Uint8Array {
  const algorithm = new Sequence({ value: [new ObjectIdentifier({ value: SHA_256 }), new Null()] });
  const imprint = new Sequence({ value: [algorithm, new OctetString({ valueHex: new Uint8Array(root) })] });
  const request = new Sequence({
    value: [
      new Integer({ value: VERSION }),
      imprint,
      new Integer({ valueHex: new Uint8Array(nonce) }),
      new Asn1Boolean({ value: true }),
    ],
  });
  return new Uint8Array(request.toBER());
}

/**
 * The DER of the TimeStampToken in a TimeStampResp. Throws `authority_failed`, with what the authority says about
 * it as evidence, for any PKIStatus but the two that grant; `malformed` if it is no TimeStampResp.
 */
export function parseTimeStampResp(der: Uint8Array): Uint8Array {
  const fields = new DerFields(parseDer(der));
  const statusInfo = new DerFields(fields.next(Tag.sequence));
  const status = readSmallInteger(statusInfo.next(Tag.integer));
  const statusText = readFreeText(statusInfo.optional(Tag.sequence));
  const failInfo = readFailInfo(statusInfo.optional(Tag.bitString));
  if (!GRANTED.has(status)) {
    const evidence = { status, statusText, failInfo };
    throw new DisclosureError("authority_failed", "the authority did not grant a timestamp", evidence);
  }
  const token = fields.next(Tag.sequence).bytes;
  fields.end();
  return token;
}

/** PKIFreeText: a SEQUENCE of UTF8Strings. */
const readFreeText = (value: DerValue | undefined): string =>
  (value?.children ?? [])
    .map(({ content }) => new TextDecoder().decode(content))
    .join("; ")
    .slice(0, MAX_STATUS_TEXT);

/** PKIFailureInfo names each failure by the number of a bit; the first octet counts unused bits. */
function readFailInfo(value: DerValue | undefined): number[] {
  const [, ...octets] = value?.content ?? [];
  return octets.flatMap((octet, i) =>
    Array.from({ length: 8 }, (_, bit) => 8 * i + bit).filter((bit) => (octet & (0x80 >> (bit % 8))) !== 0),
  );
}
