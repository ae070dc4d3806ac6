// The digest algorithms a timestamp may rest on, and AlgorithmIdentifier (RFC 5280 section 4.1.1.2, RFC 5754).
import { sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import { type DerValue, Tag } from "./der.ts";
import { readObjectIdentifier, readSequence } from "./der-fields.ts";
import { judgeable } from "./token-check.ts";

/** By its WebCrypto name. */
export type DigestName = "SHA-256" | "SHA-384" | "SHA-512";

export type AlgorithmIdentifier = { readonly oid: string; readonly parameters: DerValue | undefined };

const DIGESTS: ReadonlyMap<string, DigestName> = new Map([
  ["2.16.840.1.101.3.4.2.1", "SHA-256"],
  ["2.16.840.1.101.3.4.2.2", "SHA-384"],
  ["2.16.840.1.101.3.4.2.3", "SHA-512"],
]);

/** MD2, MD5 and SHA-1: collisions for them can be made. */
const BROKEN_DIGESTS: ReadonlySet<string> = new Set([
  "1.2.840.113549.2.2",
  "1.2.840.113549.2.5",
  "1.3.14.3.2.26",
]);

const HASHES = { "SHA-256": sha256, "SHA-384": sha384, "SHA-512": sha512 } as const;

/** SEQUENCE { algorithm OBJECT IDENTIFIER, parameters ANY OPTIONAL }. Throws `malformed`. */
export const readAlgorithm = (value: DerValue): AlgorithmIdentifier =>
  readSequence(value, (fields) => ({
    oid: readObjectIdentifier(fields.next(Tag.objectIdentifier)),
    parameters: fields.any(),
  }));

/** Throws `token_open` (`digest_algorithm`) unless the algorithm is SHA-256, SHA-384 or SHA-512. */
export function digestNameOf({ oid }: AlgorithmIdentifier): DigestName {
  const name = DIGESTS.get(oid);
  const facts = { expected: [...DIGESTS.values()], actual: oid };
  judgeable(
    !BROKEN_DIGESTS.has(oid),
    "weak",
    "digest_algorithm",
    "its digest proves nothing any more",
    facts,
  );
  judgeable(
    name !== undefined,
    "beyond_verifier",
    "digest_algorithm",
    "its digest is not SHA-256, SHA-384 or SHA-512",
    facts,
  );
  return name;
}

export const isSha256 = ({ oid }: AlgorithmIdentifier): boolean => DIGESTS.get(oid) === "SHA-256";

export const digest = (name: DigestName, bytes: Uint8Array): Uint8Array => HASHES[name](bytes);
