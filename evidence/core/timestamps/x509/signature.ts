// Signature verification with WebCrypto, for the signatures of tokens and of certificates.

import { BoundedMap } from "../../bounded-map.ts";
import { formatHex, utf8 } from "../../bytes.ts";
import { DisclosureError, isDisclosureError } from "../../errors.ts";
import { type DigestName, digest as hashBy } from "./algorithms.ts";
import { type DerValue, parseDer, Tag } from "./der.ts";
import { readNatural, readSequence } from "./der-fields.ts";
import { type Curve, importPublicKey } from "./public-key.ts";
import type { SignatureScheme } from "./signature-scheme.ts";

/**
 * True if `signature` is one over `data` by the key of `publicKeyInfo`, made by `scheme` with `digest`.
 * Throws as `importPublicKey`.
 */
export async function isSignatureValid(
  scheme: SignatureScheme,
  digest: DigestName,
  publicKeyInfo: DerValue,
  data: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const { key, curve } = await importPublicKey(publicKeyInfo, scheme, digest);
  const raw = curve === null ? signature : flattenEcdsa(signature, curve);
  // WebCrypto takes the digest with the key for RSA, but with each use for ECDSA.
  const parameters = { ...scheme, hash: digest };
  if (raw === null) return false;
  const verifying = crypto.subtle.verify(parameters, key, new Uint8Array(raw), new Uint8Array(data));
  // A salt that the key has no room for is an error to WebCrypto, and a signature that does not hold.
  return verifying.catch(() => false);
}

export type SignatureCheck = typeof isSignatureValid;

/**
 * The same, which remembers what it found: the certificates of an authority are those of its last token, and bytes that
 * no signature covers can be changed to make a thousand tokens out of one.
 */
export function rememberSignatures(capacity: number): SignatureCheck {
  const known = new BoundedMap<string, Promise<boolean>>(capacity);
  return (scheme, digestName, publicKeyInfo, data, signature) => {
    const algorithm = utf8(JSON.stringify([scheme, digestName]));
    const key = [algorithm, publicKeyInfo.bytes, data, signature]
      .map((part) => formatHex(hashBy("SHA-256", part)))
      .join();
    const checking = known.get(key) ?? isSignatureValid(scheme, digestName, publicKeyInfo, data, signature);
    known.set(key, checking);
    return checking;
  };
}

/** Ecdsa-Sig-Value (RFC 3279 section 2.2.3) as the two numbers of fixed size that WebCrypto takes; null if it is none. */
function flattenEcdsa(signature: Uint8Array, curve: Curve): Uint8Array | null {
  try {
    return readSequence(parseDer(signature), (fields) => {
      const flat = new Uint8Array(2 * curve.bytes);
      flat.set(readNumber(fields.next(Tag.integer), curve));
      flat.set(readNumber(fields.next(Tag.integer), curve), curve.bytes);
      return flat;
    });
  } catch (error) {
    // Bytes that are no signature are a signature that does not hold; one in other bytes than DER is none, as to OpenSSL.
    if (isDisclosureError(error)) return null;
    throw error;
  }
}

function readNumber(value: DerValue, { bytes }: Curve): Uint8Array {
  const digits = readNatural(value);
  if (digits.length > bytes) throw new DisclosureError("malformed", "not a number of the curve");
  const padded = new Uint8Array(bytes);
  padded.set(digits, bytes - digits.length);
  return padded;
}
