// TimeStampReq and TimeStampResp, the two messages exchanged with an authority (RFC 3161 sections 2.4.1 and 2.4.2).
import { concatBytes } from "../../evidence/core/bytes.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { printable } from "../../evidence/core/printable.ts";
import { type DerValue, parseDer, Tag } from "../../evidence/core/timestamps/x509/der.ts";
import {
  type DerFields,
  readSequence,
  readSmallInteger,
} from "../../evidence/core/timestamps/x509/der-fields.ts";

/** 2.16.840.1.101.3.4.2.1 in base 128. */
const SHA_256 = Uint8Array.of(0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01);
/** v1 */
const VERSION = Uint8Array.of(1);
/** TRUE: without its certificates a token can't be verified later. */
const CERT_REQ = Uint8Array.of(0xff);
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
  const algorithm = buildDer(Tag.sequence, buildDer(Tag.objectIdentifier, SHA_256), buildDer(Tag.null));
  return buildDer(
    Tag.sequence,
    buildDer(Tag.integer, VERSION),
    buildDer(Tag.sequence, algorithm, buildDer(Tag.octetString, root)),
    buildDer(Tag.integer, nonce),
    buildDer(Tag.boolean, CERT_REQ),
  );
}

/** One value of DER. Nothing in a request is so long that its length would need a second octet. */
function buildDer(tag: number, ...parts: Uint8Array[]): Uint8Array {
  const content = concatBytes(...parts);
  return concatBytes(Uint8Array.of(tag, content.length), content);
}

/**
 * The DER of the TimeStampToken in a TimeStampResp. Throws `authority_failed`, with what the authority says about
 * it as evidence, for any PKIStatus but the two that grant; `malformed` if it is no TimeStampResp.
 */
export function parseTimeStampResp(der: Uint8Array): Uint8Array {
  return readSequence(parseDer(der), (fields) => {
    const evidence = readSequence(fields.next(Tag.sequence), readStatus);
    if (GRANTED.has(evidence.status)) return fields.next(Tag.sequence).bytes;
    throw new DisclosureError("authority_failed", "the authority did not grant a timestamp", evidence);
  });
}

/** PKIStatusInfo. */
const readStatus = (fields: DerFields) => ({
  status: readSmallInteger(fields.next(Tag.integer)),
  statusText: readFreeText(fields.optional(Tag.sequence)),
  failInfo: readFailInfo(fields.optional(Tag.bitString)),
});

/** PKIFreeText: a SEQUENCE of UTF8Strings. It goes to a log. */
const readFreeText = (value: DerValue | undefined): string =>
  printable(
    (value?.children ?? [])
      .map(({ content }) => new TextDecoder().decode(content))
      .join("; ")
      .slice(0, MAX_STATUS_TEXT),
  );

/** PKIFailureInfo names each failure by the number of a bit; the first octet counts unused bits. */
function readFailInfo(value: DerValue | undefined): number[] {
  const [, ...octets] = value?.content ?? [];
  return octets.flatMap((octet, i) =>
    Array.from({ length: 8 }, (_, bit) => 8 * i + bit).filter((bit) => (octet & (0x80 >> (bit % 8))) !== 0),
  );
}
