// Vectors of the signature's algorithm: each kind of key and digest, and the parameters of RSASSA-PSS (RFC 4055).
import { byTsa, forge, rsa } from "./authorities.ts";
import { type Bytes, nothing, oid, sequence } from "./der-writer.ts";
import { type CertificateOrder, Digests, ecKeys, pssKeys, Schemes } from "./forge.ts";
import { type Vector, vector } from "./vector.ts";

type SchemeName = keyof typeof Schemes;

const withScheme = (
  name: string,
  keys: Partial<CertificateOrder>,
  digest: "sha256" | "sha384" | "sha512",
  scheme: SchemeName,
): Vector =>
  vector(
    name,
    "accepted",
    `${scheme}, signer digest ${digest}`,
    byTsa(keys, { digest: Digests[digest], scheme: Schemes[scheme] }),
  );
const byRsaPss = (scheme: SchemeName): Bytes => byTsa(rsa, { scheme: Schemes[scheme] });
const p384 = { keys: ecKeys("P-384") };
const p521 = { keys: ecKeys("P-521") };

export const signatureAlgorithmVectors: readonly Vector[] = [
  withScheme("good-p384-sha256", p384, "sha256", "ecdsaSha256"),
  withScheme("good-p384-sha384", p384, "sha384", "ecdsaSha384"),
  withScheme("good-p384-sha512", p384, "sha512", "ecdsaSha512"),
  withScheme("good-p521-sha256", p521, "sha256", "ecdsaSha256"),
  withScheme("good-p521-sha384", p521, "sha384", "ecdsaSha384"),
  withScheme("good-p521-sha512", p521, "sha512", "ecdsaSha512"),
  vector(
    "good-rsa-named-digest",
    "accepted",
    "sha256WithRSAEncryption",
    byTsa(rsa, { scheme: Schemes.rsaSha256 }),
  ),
  withScheme("good-rsa-sha384", rsa, "sha384", "rsaSha384"),
  withScheme("good-rsa-sha512", rsa, "sha512", "rsaSha512"),
  withScheme("good-rsa-unnamed-digest", rsa, "sha512", "rsaPlain"),
  vector("good-rsa-pss", "accepted", "RSASSA-PSS", byTsa(rsa, { scheme: Schemes.pssSha256 })),
  withScheme("good-rsa-pss-sha384", rsa, "sha384", "pssSha384"),
  withScheme("good-rsa-pss-sha512", rsa, "sha512", "pssSha512"),
  withScheme("good-rsa-pss-trailer", rsa, "sha256", "pssTrailer"),
  withScheme("good-pss-key", { keys: pssKeys() }, "sha256", "pssSha256"),
  withScheme("good-pss-key-parameters", { keys: pssKeys("sha256") }, "sha256", "pssSha256"),
  vector(
    "signature-digest",
    "signature_algorithm",
    "the signature's digest is not the signer's",
    forge({ scheme: Schemes.ecdsaSha512 }),
  ),
  vector(
    "signature-algorithm",
    "beyond_verifier: signature_algorithm",
    "ECDSA with SHA3-256, which WebCrypto does not have",
    forge({ scheme: { algorithm: sequence(oid("2.16.840.1.101.3.4.3.10")), digest: "sha256" } }),
  ),
  vector(
    "signature-algorithm-member",
    "encoding",
    "an AlgorithmIdentifier with a third member",
    forge({
      scheme: { ...Schemes.ecdsaSha256, algorithm: sequence(oid("1.2.840.10045.4.3.2"), nothing, nothing) },
    }),
  ),
  vector("pss-mask", "weak: digest_algorithm", "RSASSA-PSS whose mask names SHA-1", byRsaPss("pssOtherMask")),
  vector(
    "pss-mask-other-digest",
    "beyond_verifier: signature_algorithm",
    "RSASSA-PSS with SHA-256 whose mask names SHA-384",
    byRsaPss("pssMaskSha384"),
  ),
  vector(
    "pss-mask-function",
    "beyond_verifier: signature_algorithm",
    "RSASSA-PSS with a mask that nobody knows",
    byRsaPss("pssMaskFunction"),
  ),
  vector(
    "pss-defaults",
    "weak: signature_algorithm",
    "RSASSA-PSS without parameters, which means SHA-1",
    byRsaPss("pssDefaults"),
  ),
  vector(
    "pss-parameters-none",
    "weak: signature_algorithm",
    "RSASSA-PSS whose parameters are left out",
    byRsaPss("pssNoParameters"),
  ),
  vector(
    "pss-parameters-member",
    "signature_algorithm",
    "RSASSA-PSS with a fifth parameter",
    byRsaPss("pssMore"),
  ),
  vector("pss-trailer", "signature_algorithm", "RSASSA-PSS with a trailer of 2", byRsaPss("pssOtherTrailer")),
];
