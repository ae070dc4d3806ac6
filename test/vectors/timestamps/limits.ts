// Vectors of the limits, made from the table that the verifier has: a token at each limit, and one beyond it.
import { randomBytes } from "node:crypto";
import { LIMITS } from "../../../evidence/core/timestamps/x509/limits.ts";
import { byTsa, ca, forge, rsa, TBS, tsa, withMember, withUnsigned } from "./authorities.ts";
import { type Bytes, bits, integer, membersOf, nothing, oid, sequence, set, tlv } from "./der-writer.ts";
import { attribute, caExtensions, type Identity, makeIdentity, Schemes } from "./forge.ts";
import { type Expected, type Vector, vector } from "./vector.ts";

const CONSTRUCTED = 0x20;
const isConstructed = ([tag = 0]: Bytes): boolean => (tag & CONSTRUCTED) !== 0;
const countValues = (value: Bytes): number =>
  1 + (isConstructed(value) ? membersOf(value).map(countValues).reduce((a, b) => a + b, 0) : 0);

const withValue = (value: Bytes): Bytes => withUnsigned(attribute("2.999.5", value));
/** A token of so many values in all. */
const manyValues = (count: number): Bytes =>
  withValue(sequence(...Array<Bytes>(count - countValues(withValue(sequence()))).fill(nothing)));
/** ContentInfo, [0], SignedData, SignerInfos, SignerInfo, [1], attribute and its SET: what is in it has these around it. */
const AROUND = 8;
const nested = (depth: number): Bytes => (depth === 0 ? nothing : sequence(nested(depth - 1)));
const longIdentifier = (count: number): Bytes =>
  withUnsigned(
    sequence(tlv(0x06, Uint8Array.of(0x2a, ...Array<number>(count - 2).fill(0x81), 0x01)), set(nothing)),
  );
const withTag = (number: number): Bytes =>
  withValue(number < 0x1f ? tlv(0x80 | number) : Uint8Array.of(0x9f, number, 0));

/** A token whose certificate has another RSA key than the one that signed it, of so many bits. */
function withRsaBits(count: number): Bytes {
  const digits = randomBytes(Math.ceil(count / 8));
  const top = (count - 1) % 8;
  digits[0] = ((digits[0] ?? 0) & ((1 << top) - 1)) | (1 << top);
  digits[digits.length - 1] = (digits.at(-1) ?? 0) | 1;
  return byRsaKey(integer(digits), integer(Uint8Array.of(1, 0, 1)));
}

/** The same with an odd exponent of so many bits. */
function withExponentBits(count: number): Bytes {
  const digits = Uint8Array.of(...(count % 8 === 0 ? [0x80] : [1 << ((count % 8) - 1)]), ...Array<number>(Math.ceil(count / 8) - 1).fill(0));
  digits[digits.length - 1] = (digits.at(-1) ?? 0) | 1;
  const modulus = String(rsa.keys.publicKey.export({ format: "jwk" }).n);
  return byRsaKey(integer(Buffer.from(modulus, "base64url")), integer(digits));
}

function byRsaKey(...numbers: Bytes[]): Bytes {
  const info = sequence(sequence(oid("1.2.840.113549.1.1.1"), nothing), bits(sequence(...numbers)));
  return byTsa({ ...rsa, alterTbs: withMember(TBS.publicKey, info) }, { scheme: Schemes.rsaSha256 });
}

/** So many roots of one name, of which the last is the right one. */
const roots = (count: number): Identity[] => [
  ...Array.from({ length: count - 1 }, () => makeIdentity({ name: "Root", extensions: caExtensions })),
  ca,
];

type Made = readonly [bytes: Bytes, anchors?: readonly Identity[]];

/** A vector at a limit, and one beyond it. */
function pair(name: string, what: string, limit: number, make: (n: number) => Made, at: Expected, beyond: Expected, step = 1): Vector[] {
  const made = (label: string, expected: Expected, n: number): Vector => {
    const [bytes, anchors] = make(n);
    return vector(label, expected, `${n} ${what}`, bytes, { ...(anchors && { anchors }) });
  };
  return [made(`limit-${name}`, at, limit), made(`limit-${name}-beyond`, beyond, limit + step)];
}

const UNREAD = "beyond_verifier: encoding";
const KEY = "beyond_verifier: public_key";

export const limitVectors: readonly Vector[] = [
  ...pair("values", "values", LIMITS.values, (n) => [manyValues(n)], "accepted", UNREAD),
  ...pair("depth", "values inside each other, and one more", LIMITS.depth, (n) => [withValue(nested(n - AROUND))], "accepted", UNREAD),
  ...pair("identifier", "octets of an identifier", LIMITS.identifierOctets, (n) => [longIdentifier(n)], "accepted", UNREAD),
  ...pair("tag", "as the number of a tag", LIMITS.tagNumber, (n) => [withTag(n)], "accepted", UNREAD),
  ...pair("certificates", "certificates", LIMITS.certificates, (n) => [forge({ certificates: Array<Bytes>(n).fill(tsa.certificate) })], "accepted", UNREAD),
  ...pair("rsa-short", "bits of an RSA key", LIMITS.minRsaBits, (n) => [withRsaBits(n)], "signature", "weak: public_key", -1),
  ...pair("rsa-long", "bits of an RSA key", LIMITS.rsaBits, (n) => [withRsaBits(n)], "signature", KEY),
  ...pair("exponent", "bits of an RSA key's exponent", LIMITS.exponentBits, (n) => [withExponentBits(n)], "signature", KEY),
  ...pair("roots", "roots of one name, the right one last", LIMITS.signatureChecks, (n) => [forge(), roots(n)], "accepted", "beyond_verifier: certificate_signature"),
];
