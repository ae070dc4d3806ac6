// Public keys as certificates hold them (RFC 3279 section 2.3, RFC 4055, RFC 5480), imported into WebCrypto.
import { formatBase64 } from "../../bytes.ts";
import { type AlgorithmIdentifier, type DigestName, readAlgorithm } from "./algorithms.ts";
import { type DerValue, parseDer, Tag } from "./der.ts";
import { readBitString, readNatural, readObjectIdentifier, readSequence } from "./der-fields.ts";
import { LIMITS } from "./limits.ts";
import { RSA, RSA_PSS, type SignatureScheme, signatureSchemeOf } from "./signature-scheme.ts";
import { check, judgeable, type TokenOpenReason } from "./token-check.ts";

export type Curve = { readonly name: string; readonly bytes: number };
/** `curve` is null for RSA. */
export type PublicKey = { readonly key: CryptoKey; readonly curve: Curve | null };

const EC = "1.2.840.10045.2.1";
/** RFC 5480 section 2.2: the first octet of a point in its long form. */
const UNCOMPRESSED = 0x04;

const CURVES: ReadonlyMap<string, Curve> = new Map([
  ["1.2.840.10045.3.1.7", { name: "P-256", bytes: 32 }],
  ["1.3.132.0.34", { name: "P-384", bytes: 48 }],
  ["1.3.132.0.35", { name: "P-521", bytes: 66 }],
]);

/**
 * The key of a SubjectPublicKeyInfo, for signatures by `scheme` with `digest`.
 * Throws `token_invalid` (`public_key`) for a key of another kind than the scheme's, `token_open` for one that is too
 * weak or that is not read here, and `malformed` for what is no key.
 */
export async function importPublicKey(
  publicKeyInfo: DerValue,
  scheme: SignatureScheme,
  digest: DigestName,
): Promise<PublicKey> {
  const { algorithm, bits } = readSequence(publicKeyInfo, (fields) => ({
    algorithm: readAlgorithm(fields.next(Tag.sequence)),
    bits: readBitString(fields.next(Tag.bitString)),
  }));
  const curve = scheme.name === "ECDSA" ? curveOf(algorithm, bits) : null;
  const parameters = { name: scheme.name, hash: digest, ...(curve && { namedCurve: curve.name }) };
  if (curve === null) requireRsa(algorithm, scheme);
  // WebCrypto reads no RSA key that says it is for RSASSA-PSS: it gets the numbers.
  const importing =
    curve === null
      ? crypto.subtle.importKey("jwk", readRsaKey(bits), parameters, false, ["verify"])
      : crypto.subtle.importKey("spki", new Uint8Array(publicKeyInfo.bytes), parameters, false, ["verify"]);
  const key = await importing.catch(() => null);
  check(key !== null, "public_key", "the public key is not of the signature's kind", {
    expected: scheme.name,
  });
  return { key, curve };
}

/** RFC 5480 section 2.1.1: the curve is named in the key's algorithm. */
function curveOf({ oid: kind, parameters }: AlgorithmIdentifier, point: Uint8Array): Curve {
  check(kind === EC, "public_key", "the key is not for ECDSA", { actual: kind });
  const oid = parameters?.tag === Tag.objectIdentifier ? readObjectIdentifier(parameters) : "";
  const curve = CURVES.get(oid);
  const other = "its key is not on curve P-256, P-384 or P-521";
  judgeable(curve !== undefined, "beyond_verifier", "public_key", other, { actual: oid });
  // Some WebCryptos read points in their short form too, and some don't: readers would differ.
  const isLong = point[0] === UNCOMPRESSED && point.length === 1 + 2 * curve.bytes;
  judgeable(isLong, "beyond_verifier", "public_key", "its key is no point in its long form");
  return curve;
}

function requireRsa(algorithm: AlgorithmIdentifier, scheme: SignatureScheme): void {
  if (algorithm.oid === RSA_PSS) requirePssScheme(algorithm, scheme);
  else check(algorithm.oid === RSA, "public_key", "the key is not for RSA", { actual: algorithm.oid });
}

/** RFC 4055 section 3.3: a key reserved for RSASSA-PSS serves no other scheme, nor weaker parameters than its own. */
function requirePssScheme(algorithm: AlgorithmIdentifier, scheme: SignatureScheme): void {
  const own = algorithm.parameters === undefined ? scheme : signatureSchemeOf(algorithm);
  const isServed =
    scheme.name === "RSA-PSS" &&
    own.name === "RSA-PSS" &&
    own.digest === scheme.digest &&
    own.saltLength <= scheme.saltLength;
  check(isServed, "public_key", "the key is reserved for another use of RSASSA-PSS", {
    expected: own,
    actual: scheme,
  });
}

/** RSAPublicKey (RFC 8017 appendix A.1.1). What a WebCrypto makes of other numbers is its own affair. */
function readRsaKey(key: Uint8Array): JsonWebKey {
  const [modulus, exponent] = readSequence(parseDer(key), (fields) => [
    readNatural(fields.next(Tag.integer)),
    readNatural(fields.next(Tag.integer)),
  ]);
  const bits = countBits(modulus);
  requireSize(bits <= LIMITS.rsaBits, "beyond_verifier", "its RSA key is absurdly long");
  const isUsual = countBits(exponent) <= LIMITS.exponentBits;
  requireSize(isUsual, "beyond_verifier", "its RSA key's exponent is absurdly long");
  const short = "its RSA key is so short that it proves nothing any more";
  requireSize(bits >= LIMITS.minRsaBits, "weak", short);
  const isKey = isOdd(modulus) && isOdd(exponent) && countBits(exponent) > 1;
  check(isKey, "public_key", "this is no RSA key: its numbers are odd, and its exponent is above 1");
  return { kty: "RSA", n: formatNumber(modulus), e: formatNumber(exponent) };
}

function requireSize(isWithin: boolean, reason: TokenOpenReason, message: string): void {
  judgeable(isWithin, reason, "public_key", message);
}

/** The number of bits of a number that has no leading zeros. */
const countBits = ({ 0: first = 0, length }: Uint8Array): number =>
  length === 0 ? 0 : 8 * length + 24 - Math.clz32(first);

const isOdd = (digits: Uint8Array): boolean => ((digits.at(-1) ?? 0) & 1) === 1;

/** base64url (RFC 7518 section 6.3.1). */
const formatNumber = (digits: Uint8Array): string =>
  formatBase64(digits).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
