// Vectors of an intermediate's certificate: whether it may issue one for timestamps (RFC 5280 section 6.1.4).
import { generateKeyPairSync } from "node:crypto";
import { byIntermediate, byTsa, ca, chainedTo, rsa } from "./authorities.ts";
import { type Bytes, boolean, context, integer, nothing, sequence } from "./der-writer.ts";
import {
  basicConstraints,
  caExtensions,
  digitalSignature,
  extendedKeyUsage,
  extension,
  keyCertSign,
  makeIdentity,
  Oid,
  type Scheme,
  Schemes,
  tsaExtensions,
} from "./forge.ts";
import { type Vector, vector } from "./vector.ts";

/** A token whose chain has an RSA key in its middle, which signed by this scheme. */
const byRsaIntermediate = (scheme: Scheme): Bytes =>
  chainedTo(makeIdentity({ name: "Intermediate", issuer: ca, extensions: caExtensions, ...rsa }), { scheme });

const edwards = makeIdentity({
  name: "Root",
  keys: generateKeyPairSync("ed25519"),
  scheme: Schemes.ed25519,
  extensions: caExtensions,
});

export const issuerCertificateVectors: readonly Vector[] = [
  vector(
    "good-issuer-rsa",
    "accepted",
    "an intermediate with an RSA key",
    byRsaIntermediate(Schemes.rsaSha256),
  ),
  vector(
    "good-issuer-purpose",
    "accepted",
    "an intermediate for timestamps",
    byIntermediate({ extensions: [...caExtensions, extendedKeyUsage(true, Oid.timeStamping)] }),
  ),
  vector(
    "good-issuer-purpose-any",
    "accepted",
    "an intermediate for any purpose",
    byIntermediate({ extensions: [...caExtensions, extendedKeyUsage(false, "2.5.29.37.0")] }),
  ),
  vector(
    "issuer-no-ca",
    "issuer_is_ca",
    "an intermediate that is no CA",
    byIntermediate({ extensions: [keyCertSign] }),
  ),
  vector(
    "issuer-is-tsa",
    "issuer_is_ca",
    "a TSA that issued another's certificate",
    byIntermediate({ extensions: tsaExtensions }),
  ),
  vector(
    "issuer-constraints-none",
    "issuer_is_ca",
    "an intermediate whose basicConstraints say that it is no CA",
    byIntermediate({ extensions: [extension("2.5.29.19", true, sequence()), keyCertSign] }),
  ),
  vector(
    "issuer-constraints-false",
    "issuer_is_ca",
    "an intermediate that says in full that it is no CA",
    byIntermediate({ extensions: [extension("2.5.29.19", true, sequence(boolean(false))), keyCertSign] }),
  ),
  vector(
    "issuer-constraints-member",
    "encoding",
    "basicConstraints with a third member",
    byIntermediate({
      extensions: [extension("2.5.29.19", true, sequence(boolean(true), integer(3), nothing)), keyCertSign],
    }),
  ),
  vector(
    "issuer-key-usage",
    "issuer_key_usage",
    "an intermediate that may not sign certificates",
    byIntermediate({ extensions: [basicConstraints(), digitalSignature] }),
  ),
  vector(
    "issuer-purpose",
    "issuer_extended_key_usage",
    "an intermediate for code signing",
    byIntermediate({ extensions: [...caExtensions, extendedKeyUsage(false, Oid.codeSigning)] }),
  ),
  vector(
    "issuer-extension",
    "beyond_verifier: certificate_critical_extension",
    "an intermediate with a critical extension nobody knows",
    byIntermediate({ extensions: [...caExtensions, extension("2.999.4", true, nothing)] }),
  ),
  vector(
    "issuer-name-constraints",
    "beyond_verifier: certificate_critical_extension",
    "an intermediate with critical name constraints, which nobody here obeys",
    byIntermediate({ extensions: [...caExtensions, extension("2.5.29.30", true, sequence())] }),
  ),
  vector(
    "issuer-name-constraints-not-critical",
    "beyond_verifier: certificate_critical_extension",
    "an intermediate with name constraints that exclude every directory name, and are not critical",
    byIntermediate({
      extensions: [
        ...caExtensions,
        extension("2.5.29.30", false, sequence(context(1, sequence(context(4, sequence()))))),
      ],
    }),
  ),
  vector(
    "issuer-ed25519",
    "beyond_verifier: signature_algorithm",
    "a root whose key is on Ed25519, and a TSA whose key is on P-256",
    byTsa({ issuer: edwards, scheme: Schemes.ed25519 }),
    { anchors: [edwards] },
  ),
  vector(
    "issuer-sha1",
    "weak: signature_algorithm",
    "an intermediate's certificate signed over SHA-1",
    byIntermediate({ scheme: Schemes.ecdsaSha1 }),
  ),
  vector(
    "issuer-algorithm-unnamed",
    "signature_algorithm",
    "an intermediate's certificate whose signature does not name its digest",
    byRsaIntermediate(Schemes.rsaPlain),
  ),
];
