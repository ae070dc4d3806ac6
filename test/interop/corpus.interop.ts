import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parseHex } from "../../evidence/core/bytes.ts";
import { parseTimestampToken } from "../../evidence/core/timestamps/timestamp-token.ts";
import { notice } from "../support/notice.ts";
import { responseVectors, type TimestampVector, tokenVectors } from "../support/timestamp-vectors.ts";
import { boolean, integer, nothing, octets, oid, sequence } from "../vectors/timestamps/der-writer.ts";
import { describeWith, hasOpenssl, makeFolder, opensslVerdict } from "./tools.ts";

const VECTORS = fileURLToPath(new URL("../vectors/timestamps/", import.meta.url));
const FORGED_AT = "2026-10-01T12:00:00Z";
const SHA_256 = "2.16.840.1.101.3.4.2.1";

/**
 * Where `openssl ts -verify`, asked as of genTime and with the request, says otherwise, and why; it is what
 * test/vectors/timestamps/SOURCES.md explains. A newer openssl may come to agree: then the reason is out of date.
 */
const EXPLAINED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    // We accept.
    "good-attribute-certificate": "its ts reads PKCS #7, which has no attribute certificates",
    "good-crls": "it reads the revocation lists, which we don't look at",
    "good-key-identifier": "its ts reads PKCS #7, which has no SubjectKeyIdentifier",
    "good-rsa-pss": "its PKCS #7 code knows no RSASSA-PSS for signers",
    "good-rsa-pss-sha384": "the same",
    "good-rsa-pss-sha512": "the same",
    "good-rsa-pss-trailer": "the same",
    "good-last-second": "it counts a certificate's last second as over; RFC 5280 section 4.1.2.5 includes it",
    "good-tsa-name-other":
      "it compares tsa with the signer's name; RFC 3161 calls it a hint, and the signer itself signs it",
    "path-length":
      "it judges the anchor's certificate; RFC 5280 section 6.1.1 has its name and its key alone",
    "before-root": "the same",
    "after-root": "the same",
    "good-anchor-extensions": "the same",
    "good-anchor-signer":
      "it looks for the signer's certificate inside the token alone, unless it is told otherwise",
    "good-names-twice": "of several certificates of one name it tries one",
    "limit-roots": "the same",
    // We refuse, or leave open: RFC 5652, RFC 3161 and DER.
    "trailing-byte": "it reads one value and passes over what follows",
    "indefinite-length": "it takes BER",
    "indefinite-length-inside": "it takes BER",
    "length-padded": "it takes BER",
    "content-pieces": "it takes BER",
    "attribute-twice": "it reads the one that sorts first",
    "attribute-two-values": "it reads the one that sorts first",
    "message-digest-twice": "it reads the one that sorts first",
    "ess-twice": "it reads the one that sorts first",
    "ess-two-values": "it reads the one that sorts first",
    "content-type-attribute": "it does not read the attribute",
    "content-type-attribute-missing": "it does not read the attribute",
    "key-usage-unused-bits": "it takes bits that are set though they are said to be unused",
    "key-usage-third-octet": "it reads no usage beyond the second octet",
    "rsa-key-negative": "it takes the modulus as it is meant",
    "rsa-key-trailing-byte": "it passes over what follows the key",
    "tst-info-extension": "it passes over critical extensions of a TSTInfo",
    "imprint-named-sha512": "given a digest, it compares bytes and not the algorithm that they go by",
    "gen-time-zone": "it does not read genTime to verify",
    "gen-time-trailing-zero": "it does not read genTime to verify",
    "gen-time-no-date": "it does not read genTime to verify",
    "accuracy-negative": "it does not read the accuracy to verify",
    "accuracy-millis": "it does not read the accuracy to verify",
    "accuracy-zero": "it does not read the accuracy to verify",
    "purpose-twice": "it reads purposes as a set",
    "limit-values-beyond": "it takes any number of values",
    "limit-depth-beyond": "it does not read what nobody signed",
    "limit-identifier-beyond": "it takes identifiers of any length",
    "limit-tag-beyond": "it takes tags of any number",
    "limit-certificates-beyond": "it takes any number of certificates",
    // We refuse: what can be relied on.
    "digest-sha1": "it takes SHA-1",
    "ess-sha1": "it takes SHA-1",
    "issuer-sha1": "it takes SHA-1",
    "signature-algorithm": "it looks at the signer's digest, not at the one that the signature names",
    "short-key": "it takes RSA below 2048 bits",
    "issuer-ed25519": "it knows signatures that not every WebCrypto does",
    "subject-alternative-name": "it knows the extension",
    curve: "it knows curves that WebCrypto does not",
    "key-compressed": "it reads points in their short form, as not every WebCrypto does",
    "key-hybrid": "it reads points in a form that RFC 5480 does not have",
    "ess-chain-root-alone":
      "it asks that all named certificates are in the chain, not that the chain is named",
    "issuer-purpose": "RFC 5280 leaves an issuer's own purposes open",
    "issuer-name-constraints": "it obeys name constraints, which here are empty",
  }),
);

const nameOf = (file: string): string => file.replace(/^forged-|\.(der|tsr)$/g, "");

describeWith(hasOpenssl, "openssl", "the corpus of tokens, shown to openssl ts -verify", () => {
  const folder = makeFolder();
  const all = [...tokenVectors, ...responseVectors];
  const differing = new Set<string>();

  test.for(all.map((vector) => [vector.expected, vector.file, vector.what, vector] as const))(
    "agrees or differs for a known reason: we say %s to %s, %s",
    ([expected, file, , vector]) => {
      const agrees = (verdictOn(folder, vector) === "accepted") === (expected === "accepted");
      if (!agrees) differing.add(nameOf(file));
      expect(agrees || EXPLAINED.has(nameOf(file))).toBe(true);
    },
  );

  describe("the reasons for differing", () => {
    test("are about vectors that there are", () => {
      const names = new Set(all.map(({ file }) => nameOf(file)));
      expect([...EXPLAINED.keys()].filter((name) => !names.has(name))).toEqual([]);
    });

    test("are few, and most of the corpus needs none", () => {
      expect(differing.size).toBeLessThanOrEqual(EXPLAINED.size);
      expect(differing.size).toBeLessThan(all.length / 3);
      const outdated = [...EXPLAINED.keys()].filter((name) => !differing.has(name));
      if (outdated.length > 0) notice(`this openssl agrees on: ${outdated.join(", ")}`);
    });
  });
});

/** As of genTime, and with the request where the vector answers one: what openssl would do at its best. */
function verdictOn(folder: string, vector: TimestampVector): string {
  const input = ["-in", join(VECTORS, vector.file), ...(vector.file.endsWith(".der") ? ["-token_in"] : [])];
  const at = Math.floor(Date.parse(genTimeOf(vector)) / 1000);
  const trust = ["-attime", String(at), "-CAfile", join(VECTORS, vector.ca)];
  return opensslVerdict(folder, ...question(folder, vector), ...input, ...trust);
}

function question(folder: string, { root, nonce, policy }: TimestampVector): string[] {
  if (nonce === undefined && policy === undefined) return ["-digest", root];
  const imprint = sequence(sequence(oid(SHA_256), nothing), octets(parseHex(root)));
  const asked = [
    ...(policy === undefined ? [] : [oid(policy)]),
    ...(nonce === undefined ? [] : [integer(parseHex(nonce))]),
  ];
  writeFileSync(join(folder, "query.tsq"), sequence(integer(1), imprint, ...asked, boolean(true)));
  return ["-queryfile", "query.tsq"];
}

function genTimeOf({ file, bytes }: TimestampVector): string {
  if (file.startsWith("forged-")) return FORGED_AT;
  // A whole response holds the token that stands beside it.
  const token = file.endsWith(".tsr")
    ? tokenVectors.find((other) => other.file === file.replace("tsr", "der"))
    : null;
  return parseTimestampToken(token?.bytes ?? bytes).tstInfo.genTime;
}
