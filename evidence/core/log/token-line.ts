// Timestamp tokens (RFC 3161) over the root of a checkpoint, as signature lines of a note. Every reader of notes skips a
// line under a key that it does not know, so the tokens travel with the checkpoint and disturb nobody.
import { concatBytes, utf8 } from "../bytes.ts";
import { keyId, type NoteSignature } from "./note.ts";

/** A signature type of one's own begins with 0xff (C2SP signed-note). */
const OWN_TYPE = 0xff;
const TOKEN_TYPE = concatBytes(Uint8Array.of(OWN_TYPE), utf8("disclosure-receipts/rfc3161-root/v1"));
/** A longer one would make a line of more than 64 KiB, which some readers refuse. */
export const MAX_TOKEN_LINE_BYTES = 40 * 1024;
/** A TimeStampToken is a DER SEQUENCE whose length takes two octets: it has 256 bytes or more, and MAX_TOKEN_LINE_BYTES at most. */
const DER_SEQUENCE = 0x30;
const DER_LONG_LENGTH = 0x82;
const HEADER_BYTES = 4;
/** The space and the plus that a key's name can't hold don't occur in the name of a host. */
const HOST = /^[a-z0-9.-]{1,253}$/;

/** The authority's token as a signature line; null for a token that is too long for one. */
export function tokenLine(
  host: string,
  /** SHA-256 of the DER SubjectPublicKeyInfo of the trust anchor. */
  anchorKeyHash: Uint8Array,
  token: Uint8Array,
): NoteSignature | null {
  if (token.length > MAX_TOKEN_LINE_BYTES || !HOST.test(host)) return null;
  const id = keyId(host, concatBytes(TOKEN_TYPE, anchorKeyHash));
  return { keyName: host, keyId: id, signature: token };
}

/**
 * True if a line looks like a token. Neither its name nor its key's id is believed: a reader judges the token alone, by
 * the certificates of the authorities that the reader trusts. A signature of another type may begin with the same bytes,
 * as one of 65,536 Ed25519 signatures does; but the length that those bytes state is not the signature's.
 */
export function isTokenLine({ signature }: NoteSignature): boolean {
  const [tag, lengthBytes, high = 0, low = 0] = signature;
  const isWhole = high > 0 && signature.length === HEADER_BYTES + high * 256 + low;
  return tag === DER_SEQUENCE && lengthBytes === DER_LONG_LENGTH && isWhole;
}
