// Signature verification with WebCrypto, for the signatures of tokens and of certificates.

import { DisclosureError, isDisclosureError } from "../errors.ts";
import { type DigestName, readAlgorithm } from "./algorithms.ts";
import { type DerValue, parseDer, Tag } from "./der.ts";
import { DerFields, readObjectIdentifier } from "./der-fields.ts";
import type { SignatureScheme } from "./signature-scheme.ts";
import { check } from "./token-check.ts";

type Curve = { readonly name: string; readonly bytes: number };

const MIN_RSA_BITS = 2048;

const CURVES: ReadonlyMap<string, Curve> = new Map([
  ["1.2.840.10045.3.1.7", { name: "P-256", bytes: 32 }],
  ["1.3.132.0.34", { name: "P-384", bytes: 48 }],
  ["1.3.132.0.35", { name: "P-521", bytes: 66 }],
]);

/**
 * Whether `signature` is one over `data` by the key of `publicKeyInfo`, made by `scheme` with `digest`.
 * Throws `token_invalid` (`public_key`) for keys that are too weak or of another kind than the scheme's.
 */
export async function isSignatureValid(
  scheme: SignatureScheme,
  digest: DigestName,
  publicKeyInfo: DerValue,
  data: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const curve = scheme.name === "ECDSA" ? readCurve(publicKeyInfo) : null;
  const key = await importKey(scheme, digest, publicKeyInfo, curve);
  const raw = curve === null ? signature : flattenEcdsa(signature, curve);
  // WebCrypto takes the digest with the key for RSA, but with each use for ECDSA.
  const parameters = { ...scheme, hash: digest };
  return raw !== null && crypto.subtle.verify(parameters, key, new Uint8Array(raw), new Uint8Array(data));
}

async function importKey(
  { name }: SignatureScheme,
  hash: DigestName,
  { bytes }: DerValue,
  curve: Curve | null,
): Promise<CryptoKey> {
  const parameters = { name, hash, ...(curve === null ? {} : { namedCurve: curve.name }) };
  const importing = crypto.subtle.importKey("spki", new Uint8Array(bytes), parameters, false, ["verify"]);
  const key = await importing.catch(() => null);
  check(key !== null, "public_key", "the public key is not of the signature's kind", { expected: name });
  requireStrength(key.algorithm);
  return key;
}

function requireStrength(algorithm: KeyAlgorithm): void {
  if (!("modulusLength" in algorithm)) return;
  const actual = Number(algorithm.modulusLength);
  check(actual >= MIN_RSA_BITS, "public_key", "the RSA key is too short", { expected: MIN_RSA_BITS, actual });
}

/** RFC 5480 section 2.1.1: the curve is named in the key's algorithm. */
function readCurve(publicKeyInfo: DerValue): Curve {
  const { parameters } = readAlgorithm(new DerFields(publicKeyInfo).next(Tag.sequence));
  const oid = parameters?.tag === Tag.objectIdentifier ? readObjectIdentifier(parameters) : "";
  const curve = CURVES.get(oid);
  check(curve !== undefined, "public_key", "the key is not on curve P-256, P-384 or P-521", { actual: oid });
  return curve;
}

/** Ecdsa-Sig-Value (RFC 3279 section 2.2.3) as the two numbers of fixed size that WebCrypto takes; null if it is none. */
function flattenEcdsa(signature: Uint8Array, curve: Curve): Uint8Array | null {
  try {
    const fields = new DerFields(parseDer(signature));
    const flat = new Uint8Array(2 * curve.bytes);
    flat.set(readNumber(fields.next(Tag.integer), curve));
    flat.set(readNumber(fields.next(Tag.integer), curve), curve.bytes);
    fields.end();
    return flat;
  } catch (error) {
    // Bytes that are no signature are a signature that does not hold.
    if (isDisclosureError(error, "malformed")) return null;
    throw error;
  }
}

function readNumber({ content }: DerValue, { bytes }: Curve): Uint8Array {
  const digits = content[0] === 0 ? content.subarray(1) : content;
  const isNegative = (content[0] ?? 0) >= 0x80;
  if (isNegative || digits.length > bytes)
    throw new DisclosureError("malformed", "not a number of the curve");
  const padded = new Uint8Array(bytes);
  padded.set(digits, bytes - digits.length);
  return padded;
}
