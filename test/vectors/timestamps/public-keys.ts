// Vectors of the public key in the TSA's certificate: its kind, size and encoding (RFC 3279, RFC 4055, RFC 5480).
import { byTsa, ca, rsa, TBS, tsa, withMember } from "./authorities.ts";
import { type Bytes, bits, integer, membersOf, nothing, oid, sequence, tlv } from "./der-writer.ts";
import {
  ecKeys,
  type KeyPair,
  makeIdentity,
  makeToken,
  pssKeys,
  rsaKeys,
  type Scheme,
  Schemes,
  tsaExtensions,
} from "./forge.ts";
import { type Vector, vector } from "./vector.ts";

const publicKey = (keys: KeyPair): Bytes => keys.publicKey.export({ type: "spki", format: "der" });
const numberOf = (keys: KeyPair, name: "n" | "x" | "y"): Buffer =>
  Buffer.from(String(keys.publicKey.export({ format: "jwk" })[name]), "base64url");
/** A token whose certificate has this SubjectPublicKeyInfo. */
const byKey = (info: Bytes, keys: KeyPair, scheme: Scheme = Schemes.ecdsaSha256): Bytes =>
  byTsa({ keys, alterTbs: withMember(TBS.publicKey, info) }, { scheme });

const ec = ecKeys();
const [x, y] = [numberOf(ec, "x"), numberOf(ec, "y")];
const ecKey = (point: Bytes, id = "1.2.840.10045.2.1"): Bytes =>
  sequence(sequence(oid(id), oid("1.2.840.10045.3.1.7")), bits(point));
/** The first octet of a compressed point, which says whether y is odd. */
const sign = 2 + ((y.at(-1) ?? 0) & 1);

const modulus = numberOf(rsa.keys, "n");
const exponent = integer(Uint8Array.of(1, 0, 1));
const rsaKey = (...numbers: Bytes[]): Bytes =>
  sequence(sequence(oid("1.2.840.113549.1.1.1"), nothing), bits(sequence(...numbers)));
const byRsaKey = (info: Bytes): Bytes => byKey(info, rsa.keys, Schemes.rsaSha256);

/** A token signed with the RSA key, under a certificate for another one that is for RSASSA-PSS alone. */
const byPssKey = (keys: KeyPair, scheme: Scheme): Bytes =>
  makeToken({
    tsa: {
      ...makeIdentity({ name: "TSA", issuer: ca, extensions: tsaExtensions, keys }),
      privateKey: rsa.keys.privateKey,
    },
    scheme,
  });

export const publicKeyVectors: readonly Vector[] = [
  vector(
    "short-key",
    "weak: public_key",
    "an RSA key of 1024 bits",
    byTsa({ keys: rsaKeys(1024) }, { scheme: Schemes.rsaSha256 }),
  ),
  vector("curve", "beyond_verifier: public_key", "a key on secp256k1", byTsa({ keys: ecKeys("secp256k1") })),
  vector(
    "key-kind",
    "public_key",
    "an ECDSA signature under a certificate for an RSA key",
    makeToken({
      tsa: {
        ...makeIdentity({ name: "TSA", issuer: ca, extensions: tsaExtensions, ...rsa }),
        privateKey: tsa.privateKey,
      },
    }),
  ),
  vector(
    "key-kind-rsa",
    "public_key",
    "an RSA signature under a certificate for an ECDSA key",
    byKey(publicKey(ec), rsa.keys, Schemes.rsaSha256),
  ),
  vector(
    "key-compressed",
    "beyond_verifier: public_key",
    "a point in its short form, which not every WebCrypto reads",
    byKey(ecKey(Buffer.concat([Uint8Array.of(sign), x])), ec),
  ),
  vector(
    "key-hybrid",
    "beyond_verifier: public_key",
    "a point in the hybrid form of X9.62",
    byKey(ecKey(Buffer.concat([Uint8Array.of(sign + 4), x, y])), ec),
  ),
  vector(
    "key-off-curve",
    "public_key",
    "a point that does not lie on the curve",
    byKey(ecKey(Buffer.concat([Uint8Array.of(4), x, x])), ec),
  ),
  vector(
    "key-agreement",
    "public_key",
    "a key for ECDH",
    byKey(ecKey(Buffer.concat([Uint8Array.of(4), x, y]), "1.3.132.1.12"), ec),
  ),
  vector(
    "key-member",
    "encoding",
    "a SubjectPublicKeyInfo with a third member",
    byKey(sequence(...membersOf(publicKey(ec)), nothing), ec),
  ),
  vector(
    "rsa-exponent",
    "beyond_verifier: public_key",
    "an RSA key with an exponent as long as its modulus",
    byRsaKey(rsaKey(integer(modulus), integer(modulus.with(0, 0x3f)))),
  ),
  vector(
    "rsa-key-negative",
    "encoding",
    "an RSA key with a negative modulus",
    byRsaKey(rsaKey(tlv(0x02, modulus), exponent)),
  ),
  vector(
    "rsa-key-member",
    "encoding",
    "an RSA key with a third number",
    byRsaKey(rsaKey(integer(modulus), exponent, integer(3))),
  ),
  vector(
    "rsa-key-trailing-byte",
    "encoding",
    "a byte after an RSA key",
    byRsaKey(
      sequence(
        sequence(oid("1.2.840.113549.1.1.1"), nothing),
        bits(Buffer.concat([sequence(integer(modulus), exponent), Uint8Array.of(0)])),
      ),
    ),
  ),
  vector(
    "pss-key-other-scheme",
    "public_key",
    "a key for RSASSA-PSS under an AlgorithmIdentifier for PKCS #1 v1.5",
    byPssKey(pssKeys(), Schemes.rsaSha256),
  ),
  vector(
    "pss-key-other-digest",
    "public_key",
    "a key for RSASSA-PSS with SHA-512, used with SHA-256",
    byPssKey(pssKeys("sha512"), Schemes.pssSha256),
  ),
  vector(
    "pss-key-other-digest-alone",
    "public_key",
    "a key for RSASSA-PSS with SHA-512 and any salt, used with SHA-256",
    byPssKey(pssKeys("sha512", 0), Schemes.pssSha256),
  ),
  vector(
    "pss-key-parameters-other-scheme",
    "public_key",
    "a key for RSASSA-PSS with SHA-256 under PKCS #1 v1.5",
    byPssKey(pssKeys("sha256"), Schemes.rsaSha256),
  ),
  vector(
    "pss-key-salt",
    "public_key",
    "a key for RSASSA-PSS with a salt of 48 bytes, used with 32",
    byPssKey(pssKeys("sha256", 48), Schemes.pssSha256),
  ),
];
