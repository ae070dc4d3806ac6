// The digest algorithms a timestamp may rest on, and AlgorithmIdentifier (RFC 5280 section 4.1.1.2, RFC 5754).
import { sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import { DisclosureError } from "../../errors.ts";
import { type DerValue, Tag } from "./der.ts";
import { DerFields, readObjectIdentifier } from "./der-fields.ts";
import { check } from "./token-check.ts";

/** By its WebCrypto name. SHA-1 and MD5 are missing on purpose: collisions for them can be made. */
export type DigestName = "SHA-256" | "SHA-384" | "SHA-512";

export type AlgorithmIdentifier = { readonly oid: string; readonly parameters: DerValue | undefined };

const DIGESTS: ReadonlyMap<string, DigestName> = new Map([
  ["2.16.840.1.101.3.4.2.1", "SHA-256"],
  ["2.16.840.1.101.3.4.2.2", "SHA-384"],
  ["2.16.840.1.101.3.4.2.3", "SHA-512"],
]);

const HASHES = { "SHA-256": sha256, "SHA-384": sha384, "SHA-512": sha512 } as const;

/** SEQUENCE { algorithm OBJECT IDENTIFIER, parameters ANY OPTIONAL }. Throws `malformed`. */
export function readAlgorithm(value: DerValue): AlgorithmIdentifier {
  const oid = readObjectIdentifier(new DerFields(value).next(Tag.objectIdentifier));
  const [, parameters, ...others] = value.children;
  if (others.length === 0) return { oid, parameters };
  throw new DisclosureError("malformed", "an algorithm has more members than its parameters");
}

/** Throws `token_invalid` (`digest_algorithm`) unless the algorithm is SHA-256, SHA-384 or SHA-512. */
export function digestNameOf({ oid }: AlgorithmIdentifier): DigestName {
  const name = DIGESTS.get(oid);
  check(name !== undefined, "digest_algorithm", "the digest algorithm is not one that can be relied on", {
    expected: [...DIGESTS.values()],
    actual: oid,
  });
  return name;
}

export const isSha256 = ({ oid }: AlgorithmIdentifier): boolean => DIGESTS.get(oid) === "SHA-256";

export const digest = (name: DigestName, bytes: Uint8Array): Uint8Array => HASHES[name](bytes);
