// The signature scheme that an AlgorithmIdentifier names: RSA PKCS #1 v1.5 (RFC 5754), RSASSA-PSS (RFC 4055), ECDSA (RFC 5758).

import { type AlgorithmIdentifier, type DigestName, digestNameOf, readAlgorithm } from "./algorithms.ts";
import { parseDer, Tag } from "./der.ts";
import { type DerFields, onlyChild, readSequence, readSmallInteger } from "./der-fields.ts";
import { type CheckEvidence, check, judgeable, readAs } from "./token-check.ts";

/** In WebCrypto's names; `digest` is null where the identifier leaves it to its surroundings. */
export type SignatureScheme =
  | { readonly name: "RSASSA-PKCS1-v1_5" | "ECDSA"; readonly digest: DigestName | null }
  | { readonly name: "RSA-PSS"; readonly digest: DigestName; readonly saltLength: number };

export const RSA = "1.2.840.113549.1.1.1";
export const RSA_PSS = "1.2.840.113549.1.1.10";
const MASK_GENERATION_1 = "1.2.840.113549.1.1.8";
/** Its default, which DER leaves out and some authorities write all the same. */
const USUAL_TRAILER = 1;
/** In octets: what RFC 4055 means where it is left out. */
const USUAL_SALT = 20;
const UNREADABLE = "its signature algorithm is not as the standard has it";
const EMPTY_SEQUENCE = Uint8Array.of(Tag.sequence, 0);

const SCHEMES: ReadonlyMap<string, SignatureScheme> = new Map([
  [RSA, { name: "RSASSA-PKCS1-v1_5", digest: null }],
  ["1.2.840.113549.1.1.11", { name: "RSASSA-PKCS1-v1_5", digest: "SHA-256" }],
  ["1.2.840.113549.1.1.12", { name: "RSASSA-PKCS1-v1_5", digest: "SHA-384" }],
  ["1.2.840.113549.1.1.13", { name: "RSASSA-PKCS1-v1_5", digest: "SHA-512" }],
  ["1.2.840.10045.4.3.2", { name: "ECDSA", digest: "SHA-256" }],
  ["1.2.840.10045.4.3.3", { name: "ECDSA", digest: "SHA-384" }],
  ["1.2.840.10045.4.3.4", { name: "ECDSA", digest: "SHA-512" }],
]);

/** MD2, MD5 and SHA-1 with RSA, DSA and ECDSA. */
const BROKEN_SCHEMES: ReadonlySet<string> = new Set([
  "1.2.840.113549.1.1.2",
  "1.2.840.113549.1.1.4",
  "1.2.840.113549.1.1.5",
  "1.2.840.10040.4.3",
  "1.2.840.10045.4.1",
]);

/**
 * Throws `token_open` (`signature_algorithm`, `digest_algorithm`) unless the algorithm is one of those above,
 * `token_invalid` for parameters of RSASSA-PSS that are none.
 */
export function signatureSchemeOf(algorithm: AlgorithmIdentifier): SignatureScheme {
  const { oid, parameters } = algorithm;
  if (oid === RSA_PSS)
    return readAs("signature_algorithm", UNREADABLE, () =>
      readSequence(parameters ?? parseDer(EMPTY_SEQUENCE), readPss),
    );
  const scheme = SCHEMES.get(oid);
  const broken = "its signature algorithm proves nothing any more";
  judgeable(!BROKEN_SCHEMES.has(oid), "weak", "signature_algorithm", broken, { actual: oid });
  requireKnown(scheme !== undefined, "its signature algorithm is not RSA or ECDSA with SHA-2", {
    actual: oid,
  });
  return scheme;
}

function requireKnown(isKnown: boolean, message: string, evidence: CheckEvidence = {}): asserts isKnown {
  judgeable(isKnown, "beyond_verifier", "signature_algorithm", message, evidence);
}

/** RSASSA-PSS-params (RFC 4055 section 3.1). Its defaults mean SHA-1. */
function readPss(fields: DerFields): SignatureScheme {
  const [hash, mask, salt, trailer] = [0, 1, 2, 3].map((number) => fields.optional(Tag.context(number)));
  const names = "its signature algorithm leaves RSASSA-PSS at SHA-1, which proves nothing any more";
  judgeable(hash !== undefined && mask !== undefined, "weak", "signature_algorithm", names);
  const digest = digestNameOf(readAlgorithm(onlyChild(hash)));
  const saltLength = salt === undefined ? USUAL_SALT : readSmallInteger(onlyChild(salt));
  const isUsual = trailer === undefined || readSmallInteger(onlyChild(trailer)) === USUAL_TRAILER;
  check(isUsual, "signature_algorithm", "the trailer of RSASSA-PSS is not the one there is");
  const { oid, parameters } = readAlgorithm(onlyChild(mask));
  requireKnown(oid === MASK_GENERATION_1, "its mask of RSASSA-PSS is unknown", { actual: oid });
  const maskDigest = parameters && digestNameOf(readAlgorithm(parameters));
  // WebCrypto can only use one digest for both.
  requireKnown(maskDigest === digest, "its mask of RSASSA-PSS uses another digest", { actual: maskDigest });
  return { name: "RSA-PSS", digest, saltLength };
}
