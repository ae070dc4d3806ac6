// Vectors of the chain from the TSA's certificate to the trust anchor (RFC 5280 section 6).
import { LIMITS } from "../../../evidence/core/timestamps/x509/limits.ts";
import { byIntermediate, byTsa, ca, chainedTo, flipLastBit, forge, other, rsa, tsa } from "./authorities.ts";
import { type Bytes, sequence, tlv } from "./der-writer.ts";
import {
  basicConstraints,
  caExtensions,
  extendedKeyUsage,
  extension,
  type Identity,
  issuerKeyIdentifier,
  keyCertSign,
  makeIdentity,
  makeToken,
  Oid,
  Schemes,
  subjectKeyIdentifier,
  tsaExtensions,
} from "./forge.ts";
import { type Vector, vector } from "./vector.ts";

const oldRoot = makeIdentity({ name: "Root", extensions: caExtensions, notAfter: "20260930000000Z" });
const laterRoot = makeIdentity({ name: "Root", extensions: caExtensions, notBefore: "20261002000000Z" });
const namesake = makeIdentity({ name: "Root", extensions: caExtensions });
/** A root that allows no intermediate, and one that allows one. */
const short = makeIdentity({ name: "Root", extensions: [basicConstraints(0), keyCertSign] });
const one = makeIdentity({
  name: "Root",
  extensions: [basicConstraints(1), keyCertSign, subjectKeyIdentifier(Uint8Array.of(1))],
});
/** The root's other certificate, whose keys are identified, as the root's are. */
const selfIssued = makeIdentity({
  name: "Root",
  issuer: one,
  extensions: [...caExtensions, subjectKeyIdentifier(Uint8Array.of(2)), issuerKeyIdentifier(Uint8Array.of(1))],
});

/** What a reader's own certificate says beside its name and its key counts for nothing. */
const odd = makeIdentity({
  name: "Root",
  extensions: [
    extension("2.5.29.36", true, sequence(tlv(0x80, Uint8Array.of(0)))),
    extension("2.5.29.30", true, sequence()),
    extendedKeyUsage(true, Oid.codeSigning),
  ],
});
const rsaNamesake = makeIdentity({ name: "Root", ...rsa, scheme: Schemes.rsaSha256, extensions: caExtensions });

const [RIGHT, WRONG] = [Uint8Array.of(1), Uint8Array.of(2)];
const identified = makeIdentity({ name: "Root", extensions: [...caExtensions, subjectKeyIdentifier(RIGHT)] });
const namesakes = Array.from({ length: LIMITS.signatureChecks }, () =>
  makeIdentity({ name: "Root", extensions: [...caExtensions, subjectKeyIdentifier(WRONG)] }),
);

/** A token by a TSA below two certificates: this one, and one of this name that it issued. */
function chainedThrough(upper: Identity, name: string, ...extensions: Bytes[]): Bytes {
  const issuer = makeIdentity({ name, issuer: upper, extensions: [...caExtensions, ...extensions] });
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
    chainedThrough(selfIssued, "Intermediate", issuerKeyIdentifier(Uint8Array.of(2))),
    { anchors: [one] },
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
    { anchors: [laterRoot] },
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
    { anchors: [oldRoot] },
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
    { anchors: [short] },
  ),
  vector(
    "good-anchor-extensions",
    "accepted",
    "a root with critical policyConstraints, name constraints and code signing alone, and without basicConstraints",
    byTsa({ issuer: odd }),
    { anchors: [odd] },
  ),
  vector(
    "good-anchor-signer",
    "accepted",
    "no certificate inside the token, and the signer's own among the reader's",
    forge({ certificates: [] }),
    { anchors: [tsa] },
  ),
  vector(
    "root-of-same-name-rsa",
    "other_authority: trust_anchor",
    "another root of the same name, with a key of another kind",
    byTsa({}),
    { anchors: [rsaNamesake] },
  ),
  vector(
    "good-names-identified",
    "accepted",
    "the reader has more roots of the name than are tried, and the key of the right one is identified",
    byTsa({ issuer: identified, extensions: [...tsaExtensions, issuerKeyIdentifier(RIGHT)] }),
    { anchors: [...namesakes, identified] },
  ),
  vector(
    "good-names-twice",
    "accepted",
    "the reader has another root of the name as often as are tried, and the right one",
    byTsa({}),
    { anchors: [...Array<Identity>(LIMITS.signatureChecks).fill(namesake), ca] },
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
