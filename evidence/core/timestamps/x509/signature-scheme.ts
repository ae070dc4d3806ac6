// The signature scheme that an AlgorithmIdentifier names: RSA PKCS #1 v1.5 (RFC 5754), RSASSA-PSS (RFC 4055), ECDSA (RFC 5758).

import { type AlgorithmIdentifier, type DigestName, digestNameOf, readAlgorithm } from "./algorithms.ts";
import { parseDer, Tag } from "./der.ts";
import { DerFields, onlyChild, readSmallInteger } from "./der-fields.ts";
import { check, readAs } from "./token-check.ts";

/** In WebCrypto's names; `digest` is null where the identifier leaves it to its surroundings. */
export type SignatureScheme =
  | { readonly name: "RSASSA-PKCS1-v1_5" | "ECDSA"; readonly digest: DigestName | null }
  | { readonly name: "RSA-PSS"; readonly digest: DigestName; readonly saltLength: number };

export const RSA = "1.2.840.113549.1.1.1";
export const RSA_PSS = "1.2.840.113549.1.1.10";
const MASK_GENERATION_1 = "1.2.840.113549.1.1.8";
/** Its default, which DER leaves out and some authorities write all the same. */
const USUAL_TRAILER = 1;
const UNUSABLE = "the signature algorithm is not one that can be relied on";
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

/** Throws `token_invalid` (`signature_algorithm`, `digest_algorithm`) unless the algorithm is one of those above. */
export function signatureSchemeOf(algorithm: AlgorithmIdentifier): SignatureScheme {
  if (algorithm.oid === RSA_PSS) return readAs("signature_algorithm", UNUSABLE, () => readPss(algorithm));
  const scheme = SCHEMES.get(algorithm.oid);
  check(scheme !== undefined, "signature_algorithm", UNUSABLE, { actual: algorithm.oid });
  return scheme;
}

/** RSASSA-PSS-params (RFC 4055 section 3.1). Its defaults mean SHA-1, so what is left out is refused. */
function readPss({ parameters }: AlgorithmIdentifier): SignatureScheme {
  const fields = new DerFields(parameters ?? parseDer(EMPTY_SEQUENCE));
  const digest = digestNameOf(readAlgorithm(onlyChild(fields.next(Tag.context(0)))));
  const mask = readAlgorithm(onlyChild(fields.next(Tag.context(1))));
  const saltLength = readSmallInteger(onlyChild(fields.next(Tag.context(2))));
  const trailer = fields.optional(Tag.context(3));
  fields.end();
  const isUsual = trailer === undefined || readSmallInteger(onlyChild(trailer)) === USUAL_TRAILER;
  check(isUsual, "signature_algorithm", "the trailer of RSASSA-PSS is not the one there is");
  const maskDigest = mask.parameters && digestNameOf(readAlgorithm(mask.parameters));
  // WebCrypto can only use one digest for both.
  const isUniform = mask.oid === MASK_GENERATION_1 && maskDigest === digest;
  check(isUniform, "signature_algorithm", "the mask of RSASSA-PSS uses another digest", { actual: mask.oid });
  return { name: "RSA-PSS", digest, saltLength };
}
