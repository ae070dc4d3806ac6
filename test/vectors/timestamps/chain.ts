// Vectors of the chain from the TSA's certificate to the trust anchor (RFC 5280 section 6).
import { byIntermediate, byTsa, ca, chainedTo, flipLastBit, other } from "./authorities.ts";
import type { Bytes } from "./der-writer.ts";
import {
  basicConstraints,
  caExtensions,
  type Identity,
  keyCertSign,
  makeIdentity,
  makeToken,
  tsaExtensions,
} from "./forge.ts";
import { type Vector, vector } from "./vector.ts";

const oldRoot = makeIdentity({ name: "Root", extensions: caExtensions, notAfter: "20260930000000Z" });
const laterRoot = makeIdentity({ name: "Root", extensions: caExtensions, notBefore: "20261002000000Z" });
const namesake = makeIdentity({ name: "Root", extensions: caExtensions });
/** A root that allows no intermediate, and one that allows one. */
const short = makeIdentity({ name: "Root", extensions: [basicConstraints(0), keyCertSign] });
const one = makeIdentity({ name: "Root", extensions: [basicConstraints(1), keyCertSign] });

/** A token by a TSA below two certificates: this one, and one of this name that it issued. */
function chainedThrough(upper: Identity, name: string): Bytes {
  const issuer = makeIdentity({ name, issuer: upper, extensions: caExtensions });
  const below = makeIdentity({ name: "TSA", issuer, extensions: tsaExtensions });
  return makeToken({ tsa: below, certificates: [below.certificate, issuer.certificate, upper.certificate] });
}

export const chainVectors: readonly Vector[] = [
  vector("good-intermediate", "accepted", "an intermediate CA inside the token", byIntermediate({})),
  vector(
    "good-intermediate-short",
    "accepted",
    "an intermediate that runs out before the TSA's certificate",
    byIntermediate({ notAfter: "20270101000000Z" }),
  ),
  vector(
    "good-self-issued",
    "accepted",
    "a self-issued certificate does not count for the path length",
    chainedThrough(makeIdentity({ name: "Root", issuer: one, extensions: caExtensions }), "Intermediate"),
    { anchor: one },
  ),
  vector(
    "before-intermediate",
    "certificate_validity",
    "genTime before an intermediate's certificate",
    byIntermediate({ notBefore: "20261002000000Z" }),
  ),
  vector(
    "before-root",
    "accepted",
    "genTime before the root's certificate",
    byTsa({ issuer: laterRoot }),
    { anchor: laterRoot },
  ),
  vector(
    "after-intermediate",
    "certificate_validity",
    "genTime after an intermediate's certificate",
    byIntermediate({ notAfter: "20260930000000Z" }),
  ),
  vector(
    "after-root",
    "accepted",
    "genTime after the root's certificate",
    byTsa({ issuer: oldRoot }),
    { anchor: oldRoot },
  ),
  vector("other-root", "other_authority: trust_anchor", "another root, which is inside the token", chainedTo(other)),
  vector("root-of-same-name", "other_authority: trust_anchor", "another root of the same name", chainedTo(namesake)),
  vector(
    "self-signed",
    "other_authority: trust_anchor",
    "a self-signed TSA that nobody trusts",
    makeToken({ tsa: makeIdentity({ name: "TSA", extensions: tsaExtensions }) }),
  ),
  vector(
    "intermediate-missing",
    "other_authority: trust_anchor",
    "the intermediate is not inside the token",
    makeToken({
      tsa: makeIdentity({
        name: "TSA",
        issuer: makeIdentity({ name: "Intermediate", issuer: ca, extensions: caExtensions }),
        extensions: tsaExtensions,
      }),
    }),
  ),
  vector(
    "intermediate-signature",
    "other_authority: trust_anchor",
    "the last bit of an intermediate's signature is flipped",
    byIntermediate({ alterSignature: flipLastBit }),
  ),
  vector(
    "path-length",
    "accepted",
    "an intermediate under a root that allows none",
    byIntermediate({ issuer: short }),
    { anchor: short },
  ),
  vector(
    "path-length-intermediate",
    "path_length",
    "an intermediate under another that allows none",
    chainedThrough(
      makeIdentity({ name: "First", issuer: ca, extensions: [basicConstraints(0), keyCertSign] }),
      "Second",
    ),
  ),
];
