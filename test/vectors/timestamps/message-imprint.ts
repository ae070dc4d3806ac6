// Vectors of the messageImprint: the digest that the token is about, and its algorithm (RFC 3161 section 2.4.1).
import { forge } from "./authorities.ts";
import { type Bytes, nothing, octets, oid, sequence } from "./der-writer.ts";
import { hash, Oid, ROOT } from "./forge.ts";
import { type Vector, vector } from "./vector.ts";

/** A token whose imprint names this algorithm and this digest, and has these members after them. */
const imprint = (algorithm: string, digest: Bytes, ...rest: Bytes[]): Bytes =>
  forge({ tstInfo: { imprint: sequence(sequence(oid(algorithm), nothing), octets(digest), ...rest) } });

export const messageImprintVectors: readonly Vector[] = [
  vector(
    "imprint-sha1",
    "imprint_algorithm",
    "the imprint is a SHA-1",
    imprint(Oid.sha1, hash("sha1", ROOT)),
  ),
  vector(
    "imprint-sha512",
    "imprint_algorithm",
    "the imprint is a SHA-512",
    imprint(Oid.sha512, hash("sha512", ROOT)),
  ),
  vector(
    "imprint-named-sha512",
    "imprint_algorithm",
    "the root's bytes under the name of SHA-512",
    imprint(Oid.sha512, ROOT),
  ),
  vector("imprint-other-root", "imprint", "another root", imprint(Oid.sha256, hash("sha256", ROOT))),
  vector("imprint-short", "imprint", "an imprint of 31 bytes", imprint(Oid.sha256, ROOT.subarray(0, 31))),
  vector(
    "imprint-member",
    "encoding",
    "a messageImprint with a third member",
    imprint(Oid.sha256, ROOT, nothing),
  ),
];
