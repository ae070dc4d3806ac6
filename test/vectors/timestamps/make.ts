// Makes the forged-*.der vectors and index.json, with the verdict of `openssl ts -verify` beside ours. Run by hand in
// this folder, after make.sh. Each forgery is one change of the accepted forged-good.der, validly signed.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import type { TokenCheck } from "../../../core/timestamps/x509/token-check.ts";
import {
  type Bytes,
  bits,
  boolean,
  context,
  integer,
  membersOf,
  nothing,
  octets,
  oid,
  retag,
  sequence,
  text,
  tlv,
} from "./der-writer.ts";
import {
  attribute,
  basicConstraints,
  caExtensions,
  Digests,
  digitalSignature,
  ecKeys,
  essV1,
  essV2,
  essV2By,
  extendedKeyUsage,
  extension,
  generalNames,
  hash,
  type Identity,
  keyCertSign,
  type KeyPair,
  keyUsage,
  makeIdentity,
  makeToken,
  NONCE,
  Oid,
  pssKeys,
  ROOT,
  rsaKeys,
  type Scheme,
  Schemes,
  subjectKeyIdentifier,
  type TokenOrder,
  tsaExtensions,
} from "./forge.ts";

type Entry = {
  readonly file: string;
  readonly ca: string;
  readonly expected: "accepted" | TokenCheck | "authority_failed";
  readonly what: string;
  readonly openssl: string;
  readonly root: string;
  /** Hex; where given, the token must answer a request with this nonce. */
  readonly nonce?: string;
  readonly policy?: string;
};
type Expectations = Pick<Entry, "nonce" | "policy">;

const entries: Entry[] = [];
const root = ROOT.toString("hex");
const ca = makeIdentity({ name: "Root", extensions: caExtensions });
const tsa = makeIdentity({ name: "TSA", issuer: ca, extensions: tsaExtensions });
const other = makeIdentity({ name: "Another root", extensions: caExtensions });

const pem = (der: Bytes): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der)
    .toString("base64")
    .replace(/(.{64})(?=.)/g, "$1\n")}\n-----END CERTIFICATE-----\n`;

function opensslVerdict(file: string, anchor: string): string {
  const input = file.endsWith(".tsr") ? ["-in", file] : ["-in", file, "-token_in"];
  try {
    execFileSync("openssl", ["ts", "-verify", "-digest", root, ...input, "-CAfile", anchor], {
      stdio: "pipe",
    });
    return "accepted";
  } catch (error) {
    const output = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
    const [, reason = "", detail = ""] =
      /error:[0-9A-F]+:[^:]*:[^:]*:([^:]*):[^:]*:\d+:(.*)/.exec(output) ?? [];
    return ["refused", reason, detail.replace("Verify error:", "")].filter(Boolean).join(": ");
  }
}

function record(
  file: string,
  anchor: string,
  expected: Entry["expected"],
  what: string,
  asked: Expectations = {},
) {
  entries.push({ file, ca: anchor, root, ...asked, expected, openssl: opensslVerdict(file, anchor), what });
}

function vector(
  name: string,
  expected: Entry["expected"],
  what: string,
  token: Bytes,
  anchor: Identity = ca,
  asked: Expectations = {},
): void {
  const anchorFile = anchor === ca ? "forged-ca.pem" : `forged-${name}-ca.pem`;
  writeFileSync(anchorFile, pem(anchor.certificate));
  writeFileSync(`forged-${name}.der`, token);
  record(`forged-${name}.der`, anchorFile, expected, what, asked);
}

const forge = (order: Partial<TokenOrder> = {}): Bytes => makeToken({ tsa, ...order });
/** A token by a TSA whose certificate differs from the good one. */
const byTsa = (order: Partial<Parameters<typeof makeIdentity>[0]>, rest: Partial<TokenOrder> = {}): Bytes =>
  makeToken({ tsa: makeIdentity({ name: "TSA", issuer: ca, extensions: tsaExtensions, ...order }), ...rest });
/** A token whose chain has a certificate between the TSA and the root. */
const byIntermediate = (order: Partial<Parameters<typeof makeIdentity>[0]>): Bytes => {
  const issuer = makeIdentity({ name: "Intermediate", issuer: ca, extensions: caExtensions, ...order });
  const below = makeIdentity({ name: "TSA", issuer, extensions: tsaExtensions });
  return makeToken({ tsa: below, certificates: [below.certificate, issuer.certificate] });
};
const damage = (signature: Bytes): Bytes =>
  signature.map((byte, i) => (i === signature.length - 1 ? byte ^ 1 : byte));

// What openssl made.
for (const name of ["rsa-sha256", "rsa-sha384", "rsa-sha512", "p256-sha256", "p256-sha384", "p256-sha512"]) {
  const [key, digest] = name.split("-");
  record(
    `openssl-${name}.der`,
    `openssl-${key}-ca.pem`,
    "accepted",
    `openssl, ${key} keys, signer digest ${digest}`,
  );
}
record(
  "openssl-p384.der",
  "openssl-p384-ca.pem",
  "accepted",
  "openssl, P-384 keys, SHA-384, ESSCertIDv2 with SHA-384",
);
record(
  "openssl-p521.der",
  "openssl-p521-ca.pem",
  "accepted",
  "openssl, P-521 keys, SHA-512, ESSCertIDv2 with SHA-512",
);
record("openssl-rsa-ess-v1.der", "openssl-rsa-ca.pem", "accepted", "openssl, ESSCertID v1");
record(
  "openssl-pss-certificates.der",
  "openssl-pss-ca.pem",
  "accepted",
  "openssl, certificates signed with RSASSA-PSS",
);
record("openssl-p256-sha256.tsr", "openssl-p256-ca.pem", "accepted", "openssl, the whole TimeStampResp");
record(
  "openssl-rsa-sha256.der",
  "openssl-p256-ca.pem",
  "trust_anchor",
  "a good token, asked for with another CA",
);

// What is unusual, and right.
vector("good", "accepted", "the token that all forgeries below change in one place", forge());
vector("good-nonce", "accepted", "the nonce is the one that was sent", forge(), ca, {
  nonce: NONCE.toString("hex"),
});
vector("good-policy", "accepted", "the policy is the one that was asked for", forge(), ca, {
  policy: "2.999.1",
});
const identifier = hash("sha1", tsa.certificate);
vector(
  "good-key-identifier",
  "accepted",
  "the signer is named by SubjectKeyIdentifier",
  byTsa(
    { extensions: [...tsaExtensions, subjectKeyIdentifier(identifier)] },
    { identifier: tlv(0x80, identifier) },
  ),
);
const rsa = { keys: rsaKeys(2048) };
vector(
  "good-rsa-named-digest",
  "accepted",
  "sha256WithRSAEncryption",
  byTsa(rsa, { scheme: Schemes.rsaSha256 }),
);
vector("good-rsa-pss", "accepted", "RSASSA-PSS", byTsa(rsa, { scheme: Schemes.pssSha256 }));
const issuerSerial = sequence(generalNames(ca.name), integer(tsa.serial));
vector(
  "good-issuer-serial",
  "accepted",
  "ESSCertIDv2 with its issuerSerial",
  forge({ attributes: { ess: essV2(tsa, issuerSerial) } }),
);
vector(
  "good-both-ess",
  "accepted",
  "ESSCertID and ESSCertIDv2",
  forge({ attributes: { extra: [essV1(tsa)] } }),
);
vector(
  "good-fraction",
  "accepted",
  "genTime in milliseconds",
  forge({ tstInfo: { genTime: text(0x18, "20261001120000.125Z") } }),
);
vector("good-intermediate", "accepted", "an intermediate CA inside the token", byIntermediate({}));
vector(
  "good-expired-since",
  "accepted",
  "the TSA's certificate ran out after genTime",
  byTsa({ notAfter: "20261002000000Z" }),
);
vector(
  "good-root-inside",
  "accepted",
  "the root is inside the token too",
  forge({ certificates: [tsa.certificate, ca.certificate] }),
);

// The envelope.
const good = forge();
vector("trailing-byte", "encoding", "a byte after the token", Buffer.concat([good, Uint8Array.of(0)]));
vector(
  "indefinite-length",
  "encoding",
  "BER: the outermost length is indefinite",
  Buffer.concat([Uint8Array.of(0x30, 0x80), good.subarray(4), Uint8Array.of(0, 0)]),
);
vector("content-type", "content_type", "the ContentInfo says id-data", forge({ outerType: Oid.data }));
vector(
  "encapsulated-content-type",
  "encapsulated_content_type",
  "the content says id-data",
  forge({ innerType: Oid.data }),
);
const second = makeIdentity({ name: "Second TSA", issuer: ca, extensions: tsaExtensions });
let secondSigner: Bytes = nothing;
makeToken({
  tsa: second,
  alterSigners: (signer) => {
    secondSigner = signer;
    return [signer];
  },
});
vector(
  "two-signers",
  "one_signer",
  "a second TSA signed too",
  forge({
    alterSigners: (signer) => [signer, secondSigner],
    certificates: [tsa.certificate, second.certificate],
  }),
);
vector("no-signer", "one_signer", "nobody signed", forge({ alterSigners: () => [] }));

// TSTInfo.
vector("version", "tst_info_version", "TSTInfo of version 2", forge({ tstInfo: { version: integer(2) } }));
const unknownExtension = retag(0xa1, sequence(extension("2.999.2", true, nothing)));
vector(
  "tst-info-extension",
  "tst_info_extensions",
  "a critical extension",
  forge({ tstInfo: { extensions: unknownExtension } }),
);
const imprintOf = (algorithm: string, digest: Bytes): Bytes =>
  sequence(sequence(oid(algorithm), nothing), octets(digest));
vector(
  "imprint-sha1",
  "imprint_algorithm",
  "the imprint is a SHA-1",
  forge({ tstInfo: { imprint: imprintOf(Oid.sha1, hash("sha1", ROOT)) } }),
);
vector(
  "imprint-sha512",
  "imprint_algorithm",
  "the imprint is a SHA-512",
  forge({ tstInfo: { imprint: imprintOf(Oid.sha512, hash("sha512", ROOT)) } }),
);
vector(
  "imprint-named-sha512",
  "imprint_algorithm",
  "the root's bytes under the name of SHA-512",
  forge({ tstInfo: { imprint: imprintOf(Oid.sha512, ROOT) } }),
);
vector(
  "imprint-other-root",
  "imprint",
  "another root",
  forge({ tstInfo: { imprint: imprintOf(Oid.sha256, hash("sha256", ROOT)) } }),
);
vector(
  "gen-time-zone",
  "gen_time",
  "genTime with an offset",
  forge({ tstInfo: { genTime: text(0x18, "20261001120000+0100") } }),
);
vector(
  "gen-time-trailing-zero",
  "gen_time",
  "genTime with a trailing zero",
  forge({ tstInfo: { genTime: text(0x18, "20261001120000.50Z") } }),
);
vector(
  "gen-time-no-date",
  "gen_time",
  "genTime on 30 February",
  forge({ tstInfo: { genTime: text(0x18, "20260230120000Z") } }),
);
vector("nonce", "nonce", "the nonce is not the one that was sent", forge(), ca, {
  nonce: "1f2e3d4c5b6a7989",
});
vector(
  "nonce-missing",
  "nonce",
  "a nonce was sent and none came back",
  forge({ tstInfo: { nonce: Buffer.alloc(0) } }),
  ca,
  { nonce: NONCE.toString("hex") },
);
vector("policy", "policy", "the policy is not the one that was asked for", forge(), ca, {
  policy: "2.999.3",
});

// SignerInfo.
vector(
  "digest-sha1",
  "digest_algorithm",
  "the signer digests with SHA-1",
  forge({ digest: { oid: Oid.sha1, name: "sha1" }, scheme: Schemes.ecdsaSha1 }),
);
vector(
  "signature-digest",
  "signature_algorithm",
  "the signature's digest is not the signer's",
  forge({ scheme: Schemes.ecdsaSha512 }),
);
vector(
  "attributes-unsorted",
  "signed_attributes_der",
  "the attributes are not in DER order",
  forge({ orderAttributes: (_, members) => tlv(0x31, ...members.toSorted(Buffer.compare).toReversed()) }),
);
const contentType = attribute(Oid.contentType, oid(Oid.tstInfo));
vector(
  "attribute-twice",
  "signed_attributes_unique",
  "content-type occurs twice",
  forge({ attributes: { extra: [contentType] } }),
);
vector(
  "attribute-two-values",
  "signed_attributes_unique",
  "content-type has two values",
  forge({ attributes: { contentType: attribute(Oid.contentType, oid(Oid.tstInfo), oid(Oid.data)) } }),
);
vector(
  "content-type-attribute",
  "content_type_attribute",
  "content-type says id-data",
  forge({ attributes: { contentType: attribute(Oid.contentType, oid(Oid.data)) } }),
);
vector(
  "content-type-attribute-missing",
  "content_type_attribute",
  "no content-type",
  forge({ attributes: { contentType: Buffer.alloc(0) } }),
);
vector(
  "message-digest",
  "message_digest",
  "the digest of other content",
  forge({ attributes: { messageDigest: attribute(Oid.messageDigest, octets(hash("sha256", ROOT))) } }),
);
vector(
  "message-digest-missing",
  "message_digest",
  "no message-digest",
  forge({ attributes: { messageDigest: Buffer.alloc(0) } }),
);
vector(
  "no-certificate",
  "signer_certificate",
  "the signer's certificate is missing",
  forge({ certificates: [] }),
);
vector(
  "other-certificate",
  "signer_certificate",
  "only another TSA's certificate",
  forge({ certificates: [second.certificate] }),
);
vector(
  "ess-v2",
  "signing_certificate",
  "ESSCertIDv2 of another certificate",
  forge({ attributes: { ess: essV2(second) } }),
);
vector(
  "ess-v1",
  "signing_certificate",
  "ESSCertID of another certificate",
  forge({ attributes: { ess: essV1(second) } }),
);
vector(
  "ess-v1-beside-v2",
  "signing_certificate",
  "a good ESSCertIDv2 and an ESSCertID of another certificate",
  forge({ attributes: { extra: [essV1(second)] } }),
);
vector(
  "ess-missing",
  "signing_certificate",
  "neither ESSCertID nor ESSCertIDv2",
  forge({ attributes: { ess: Buffer.alloc(0) } }),
);
vector(
  "ess-serial",
  "signing_certificate_issuer_serial",
  "ESSCertIDv2 with another serial number",
  forge({ attributes: { ess: essV2(tsa, sequence(generalNames(ca.name), integer(second.serial))) } }),
);
vector(
  "ess-issuer",
  "signing_certificate_issuer_serial",
  "ESSCertIDv2 with another issuer",
  forge({ attributes: { ess: essV2(tsa, sequence(generalNames(other.name), integer(tsa.serial))) } }),
);
vector(
  "signature",
  "signature",
  "the last bit of the signature is flipped",
  forge({ alterSignature: damage }),
);
vector(
  "signature-other-key",
  "signature",
  "signed by a key that is not the certificate's",
  makeToken({ tsa: { ...tsa, ...ecKeys() } }),
);

// The signer's certificate.
const purposes = (...extensions: Bytes[]): Bytes => byTsa({ extensions: [digitalSignature, ...extensions] });
vector(
  "purpose-not-critical",
  "extended_key_usage",
  "the purpose is not critical",
  purposes(extendedKeyUsage(false, Oid.timeStamping)),
);
vector(
  "purpose-two",
  "extended_key_usage",
  "a second purpose",
  purposes(extendedKeyUsage(true, Oid.timeStamping, Oid.codeSigning)),
);
vector(
  "purpose-other",
  "extended_key_usage",
  "another purpose",
  purposes(extendedKeyUsage(true, Oid.codeSigning)),
);
vector("purpose-none", "extended_key_usage", "no purpose", purposes());
vector(
  "key-usage",
  "key_usage",
  "a key for keyAgreement",
  byTsa({ extensions: [keyUsage(0x08, 5), extendedKeyUsage(true, Oid.timeStamping)] }),
);
vector(
  "short-key",
  "public_key",
  "an RSA key of 1024 bits",
  byTsa({ keys: rsaKeys(1024) }, { scheme: Schemes.rsaSha256 }),
);
vector("curve", "public_key", "a key on secp256k1", byTsa({ keys: ecKeys("secp256k1") }));
vector(
  "key-kind",
  "public_key",
  "an ECDSA signature under a certificate for an RSA key",
  makeToken({
    tsa: {
      ...makeIdentity({ name: "TSA", issuer: ca, extensions: tsaExtensions, ...rsa }),
      privateKey: tsa.privateKey,
    },
  }),
);
vector(
  "extension-twice",
  "encoding",
  "the purpose occurs twice",
  byTsa({ extensions: [...tsaExtensions, extendedKeyUsage(true, Oid.timeStamping)] }),
);
vector(
  "extension-critical",
  "certificate_critical_extension",
  "a critical extension nobody knows",
  byTsa({ extensions: [...tsaExtensions, extension("2.999.4", true, nothing)] }),
);

// The chain.
vector(
  "before-certificate",
  "certificate_validity",
  "genTime before the TSA's certificate",
  byTsa({ notBefore: "20261002000000Z" }),
);
vector(
  "after-certificate",
  "certificate_validity",
  "genTime after the TSA's certificate",
  byTsa({ notAfter: "20260930000000Z" }),
);
vector(
  "after-intermediate",
  "certificate_validity",
  "genTime after an intermediate's certificate",
  byIntermediate({ notAfter: "20260930000000Z" }),
);
const oldRoot = makeIdentity({ name: "Root", extensions: caExtensions, notAfter: "20260930000000Z" });
vector(
  "after-root",
  "certificate_validity",
  "genTime after the root's certificate",
  byTsa({ issuer: oldRoot }),
  oldRoot,
);
vector("other-root", "trust_anchor", "another root, which is inside the token", chainedTo(other));
const namesake = makeIdentity({ name: "Root", extensions: caExtensions });
vector("root-of-same-name", "trust_anchor", "another root of the same name", chainedTo(namesake));
vector(
  "self-signed",
  "trust_anchor",
  "a self-signed TSA that nobody trusts",
  makeToken({ tsa: makeIdentity({ name: "TSA", extensions: tsaExtensions }) }),
);
vector(
  "issuer-no-ca",
  "issuer_is_ca",
  "an intermediate that is no CA",
  byIntermediate({ extensions: [keyCertSign] }),
);
vector(
  "issuer-key-usage",
  "issuer_key_usage",
  "an intermediate that may not sign certificates",
  byIntermediate({ extensions: [basicConstraints(), digitalSignature] }),
);
vector(
  "issuer-purpose",
  "issuer_extended_key_usage",
  "an intermediate for code signing",
  byIntermediate({ extensions: [...caExtensions, extendedKeyUsage(false, Oid.codeSigning)] }),
);
vector(
  "issuer-extension",
  "certificate_critical_extension",
  "an intermediate with a critical extension nobody knows",
  byIntermediate({ extensions: [...caExtensions, extension("2.999.4", true, nothing)] }),
);
vector(
  "issuer-sha1",
  "signature_algorithm",
  "an intermediate's certificate signed over SHA-1",
  byIntermediate({ scheme: Schemes.ecdsaSha1 }),
);
const short = makeIdentity({ name: "Root", extensions: [basicConstraints(0), keyCertSign] });
vector(
  "path-length",
  "path_length",
  "an intermediate under a root that allows none",
  byIntermediate({ issuer: short }),
  short,
);

// Every kind of key and signature.
const withScheme = (name: string, keys: Parameters<typeof byTsa>[0], digest: "sha256" | "sha384" | "sha512", scheme: keyof typeof Schemes): void =>
  vector(`good-${name}`, "accepted", `${scheme}, signer digest ${digest}`, byTsa(keys, { digest: Digests[digest], scheme: Schemes[scheme] }));
const p384 = { keys: ecKeys("P-384") };
const p521 = { keys: ecKeys("P-521") };
withScheme("p384-sha256", p384, "sha256", "ecdsaSha256");
withScheme("p384-sha384", p384, "sha384", "ecdsaSha384");
withScheme("p384-sha512", p384, "sha512", "ecdsaSha512");
withScheme("p521-sha256", p521, "sha256", "ecdsaSha256");
withScheme("p521-sha384", p521, "sha384", "ecdsaSha384");
withScheme("p521-sha512", p521, "sha512", "ecdsaSha512");
withScheme("rsa-sha384", rsa, "sha384", "rsaSha384");
withScheme("rsa-sha512", rsa, "sha512", "rsaSha512");
withScheme("rsa-unnamed-digest", rsa, "sha512", "rsaPlain");
withScheme("rsa-pss-sha384", rsa, "sha384", "pssSha384");
withScheme("rsa-pss-sha512", rsa, "sha512", "pssSha512");
withScheme("rsa-pss-trailer", rsa, "sha256", "pssTrailer");
withScheme("pss-key", { keys: pssKeys() }, "sha256", "pssSha256");
withScheme("pss-key-parameters", { keys: pssKeys("sha256") }, "sha256", "pssSha256");
const byRsaPss = (scheme: keyof typeof Schemes): Bytes => byTsa(rsa, { scheme: Schemes[scheme] });
vector("pss-mask", "digest_algorithm", "RSASSA-PSS whose mask names SHA-1", byRsaPss("pssOtherMask"));
vector("pss-defaults", "signature_algorithm", "RSASSA-PSS without parameters, which means SHA-1", byRsaPss("pssDefaults"));
vector("pss-trailer", "signature_algorithm", "RSASSA-PSS with a trailer of 2", byRsaPss("pssOtherTrailer"));
vector("pss-key-other-scheme", "public_key", "a key for RSASSA-PSS under an AlgorithmIdentifier for PKCS #1 v1.5", makeToken({
  tsa: { ...makeIdentity({ name: "TSA", issuer: ca, extensions: tsaExtensions, keys: pssKeys() }), privateKey: rsa.keys.privateKey },
  scheme: Schemes.rsaSha256,
}));
const strict = makeIdentity({ name: "TSA", issuer: ca, extensions: tsaExtensions, keys: pssKeys("sha512") });
vector("pss-key-other-digest", "public_key", "a key for RSASSA-PSS with SHA-512, used with SHA-256", makeToken({ tsa: { ...strict, privateKey: rsa.keys.privateKey }, scheme: Schemes.pssSha256 }));

// More that is unusual, and right.
vector("good-accuracy", "accepted", "accuracy of 1 s, 500 ms and 250 µs, and ordering", forge({ tstInfo: {
  accuracy: sequence(integer(1), retag(0x80, integer(Uint8Array.of(1, 0xf4))), retag(0x81, integer(Uint8Array.of(0, 250)))),
  ordering: boolean(true),
} }));
vector("good-accuracy-millis", "accepted", "accuracy in milliseconds only", forge({ tstInfo: { accuracy: sequence(retag(0x80, integer(20))) } }));
vector("good-non-repudiation", "accepted", "a key for non-repudiation", byTsa({ extensions: [keyUsage(0x40, 2), extendedKeyUsage(true, Oid.timeStamping)] }));
vector("good-no-key-usage", "accepted", "a certificate that does not limit the key's usage", byTsa({ extensions: [extendedKeyUsage(true, Oid.timeStamping)] }));
vector("good-ess-sha512", "accepted", "ESSCertIDv2 by SHA-512", forge({ attributes: { ess: essV2By(tsa, Digests.sha512) } }));
vector("good-first-second", "accepted", "genTime is the certificate's first second", byTsa({ notBefore: "20261001120000Z" }));
vector("good-last-second", "accepted", "genTime is the certificate's last second", byTsa({ notAfter: "20261001120000Z" }));
vector("after-last-second", "certificate_validity", "genTime half a second after the certificate's last", byTsa({ notAfter: "20261001120000Z" }, { tstInfo: { genTime: text(0x18, "20261001120000.5Z") } }));
vector("good-attribute-more", "accepted", "a signed attribute nobody here knows", forge({ attributes: { extra: [attribute("2.999.5", integer(1))] } }));
const one = makeIdentity({ name: "Root", extensions: [basicConstraints(1), keyCertSign] });
const renewed = makeIdentity({ name: "Root", issuer: one, extensions: caExtensions });
const below = makeIdentity({ name: "Intermediate", issuer: renewed, extensions: caExtensions });
const lowest = makeIdentity({ name: "TSA", issuer: below, extensions: tsaExtensions });
vector("good-self-issued", "accepted", "a self-issued certificate does not count for the path length", makeToken({
  tsa: lowest, certificates: [lowest.certificate, below.certificate, renewed.certificate],
}), one);

// The same checks, violated in further ways.
vector("tst-info-member", "encoding", "a TSTInfo with a member that it does not have", forge({ tstInfoRest: [retag(0xa2, sequence())] }));
vector("imprint-short", "imprint", "an imprint of 31 bytes", forge({ tstInfo: { imprint: imprintOf(Oid.sha256, ROOT.subarray(0, 31)) } }));
vector("accuracy-negative", "accuracy", "a negative accuracy", forge({ tstInfo: { accuracy: sequence(tlv(0x02, Uint8Array.of(0xff))) } }));
vector("accuracy-millis", "accuracy", "accuracy of 1,000 milliseconds", forge({ tstInfo: { accuracy: sequence(retag(0x80, integer(Uint8Array.of(3, 0xe8)))) } }));
vector("content-missing", "encoding", "a detached signature: no TSTInfo inside", forge({ sentContent: () => Buffer.alloc(0) }));
vector("content-pieces", "encoding", "BER: the TSTInfo in pieces", forge({ sentContent: (content) => context(0, tlv(0x24, octets(content.subarray(0, 9)), octets(content.subarray(9)))) }));
vector("attributes-none", "signed_attributes", "no signed attributes: the signature is over the TSTInfo itself", forge({ signedBytes: (_, content) => content, sentAttributes: () => Buffer.alloc(0) }));
vector("attributes-signed-as-sent", "signature", "the signature is over [0] and not over the SET", forge({ signedBytes: (attributes) => retag(0xa0, attributes) }));
vector("attributes-long-length", "encoding", "BER: the length of the attributes in its long form", forge({
  orderAttributes: (_, members) => { const content = Buffer.concat(members.toSorted(Buffer.compare)); return Buffer.concat([Uint8Array.of(0x31, 0x82, content.length >> 8, content.length & 0xff), content]); },
}));
vector("message-digest-twice", "signed_attributes_unique", "message-digest occurs twice, once right", forge({ attributes: { extra: [attribute(Oid.messageDigest, octets(hash("sha256", ROOT)))] } }));
vector("ess-twice", "signed_attributes_unique", "ESSCertIDv2 occurs twice, once right", forge({ attributes: { extra: [essV2(second)] } }));
vector("ess-two-values", "signed_attributes_unique", "ESSCertIDv2 with two values", forge({ attributes: { ess: attribute(Oid.essV2, sequence(sequence(sequence(octets(hash("sha256", tsa.certificate))))), sequence(sequence(sequence(octets(hash("sha256", second.certificate)))))) } }));
vector("ess-empty", "encoding", "ESSCertIDv2 that names no certificate", forge({ attributes: { ess: attribute(Oid.essV2, sequence(sequence())) } }));
vector("ess-sha1", "digest_algorithm", "ESSCertIDv2 by SHA-1", forge({ attributes: { ess: essV2By(tsa, Digests.sha1) } }));
vector("ess-second", "signing_certificate", "the signer's certificate is the second that ESSCertIDv2 names", forge({ attributes: { ess: attribute(Oid.essV2, sequence(sequence(sequence(octets(hash("sha256", second.certificate))), sequence(octets(hash("sha256", tsa.certificate)))))) } }));
vector("digest-md5", "digest_algorithm", "the signer names MD5", forge({ digest: { oid: "1.2.840.113549.2.5", name: "md5" } }));
vector("key-identifier-other", "signer_certificate", "a SubjectKeyIdentifier that no certificate has", byTsa({ extensions: [...tsaExtensions, subjectKeyIdentifier(identifier)] }, { identifier: tlv(0x80, hash("sha1", ROOT)) }));
vector("identifier-serial", "signer_certificate", "the signer's issuer with another serial number", forge({ identifier: sequence(ca.name, integer(second.serial)) }));
vector("identifier-issuer", "signer_certificate", "the signer's serial number under another issuer", forge({ identifier: sequence(other.name, integer(tsa.serial)) }));
vector("signature-empty", "signature", "an empty signature", forge({ alterSignature: () => Buffer.alloc(0) }));
vector("signature-trailing-byte", "signature", "a byte after the ECDSA signature", forge({ alterSignature: (signature) => Buffer.concat([signature, Uint8Array.of(0)]) }));
vector("signature-zero", "signature", "an ECDSA signature of two zeros", forge({ alterSignature: () => sequence(integer(0), integer(0)) }));
vector("signature-curve", "signature", "an ECDSA signature whose numbers are too long for the curve", forge({ alterSignature: () => sequence(integer(Buffer.alloc(48, 1)), integer(Buffer.alloc(48, 1))) }));
vector("rsa-signature-short", "signature", "an RSA signature without its last byte", byTsa(rsa, { scheme: Schemes.rsaSha256, alterSignature: (signature) => signature.subarray(0, -1) }));
vector("signature-algorithm", "signature_algorithm", "ECDSA with SHA3-256, which WebCrypto does not have", forge({ scheme: { algorithm: sequence(oid("2.16.840.1.101.3.4.3.10")), digest: "sha256" } }));
vector("key-usage-more", "key_usage", "a key for signatures and for keyEncipherment", byTsa({ extensions: [keyUsage(0xa0, 3), extendedKeyUsage(true, Oid.timeStamping)] }));
vector("key-usage-ca", "key_usage", "a key for timestamps that may sign certificates too", byTsa({ extensions: [keyUsage(0x84, 6), extendedKeyUsage(true, Oid.timeStamping)] }));
vector("key-usage-unused-bits", "encoding", "a usage in bits that the BIT STRING calls unused", byTsa({ extensions: [extension("2.5.29.15", true, tlv(0x03, Uint8Array.of(7, 0xff))), extendedKeyUsage(true, Oid.timeStamping)] }));
vector("purpose-any", "extended_key_usage", "any purpose", purposes(extendedKeyUsage(true, "2.5.29.37.0")));
vector("purpose-twice", "extended_key_usage", "timestamps, twice", purposes(extendedKeyUsage(true, Oid.timeStamping, Oid.timeStamping)));
vector("certificate-algorithms", "encoding", "a certificate that names two signature algorithms", byTsa({ outerAlgorithm: Schemes.ecdsaSha512.algorithm }));
vector("certificate-signature", "trust_anchor", "the last bit of the certificate's signature is flipped", byTsa({ alterSignature: damage }));
vector("certificate-issuer", "trust_anchor", "signed by the root's key under another issuer's name", byTsa({ issuerName: other.name }));
vector("intermediate-signature", "trust_anchor", "the last bit of an intermediate's signature is flipped", byIntermediate({ alterSignature: damage }));
vector("intermediate-missing", "trust_anchor", "the intermediate is not inside the token", makeToken({ tsa: makeIdentity({ name: "TSA", issuer: makeIdentity({ name: "Intermediate", issuer: ca, extensions: caExtensions }), extensions: tsaExtensions }) }));
vector("before-intermediate", "certificate_validity", "genTime before an intermediate's certificate", byIntermediate({ notBefore: "20261002000000Z" }));
const laterRoot = makeIdentity({ name: "Root", extensions: caExtensions, notBefore: "20261002000000Z" });
vector("before-root", "certificate_validity", "genTime before the root's certificate", byTsa({ issuer: laterRoot }), laterRoot);
vector("issuer-constraints-none", "issuer_is_ca", "an intermediate whose basicConstraints say that it is no CA", byIntermediate({ extensions: [extension("2.5.29.19", true, sequence()), keyCertSign] }));
vector("issuer-is-tsa", "issuer_is_ca", "a TSA that issued another's certificate", byIntermediate({ extensions: tsaExtensions }));
vector("issuer-name-constraints", "certificate_critical_extension", "an intermediate with critical name constraints, which nobody here obeys", byIntermediate({ extensions: [...caExtensions, extension("2.5.29.30", true, sequence())] }));
const first = makeIdentity({ name: "First", issuer: ca, extensions: [basicConstraints(0), keyCertSign] });
const next = makeIdentity({ name: "Second", issuer: first, extensions: caExtensions });
const last = makeIdentity({ name: "TSA", issuer: next, extensions: tsaExtensions });
vector("path-length-intermediate", "path_length", "an intermediate under another that allows none", makeToken({ tsa: last, certificates: [last.certificate, next.certificate, first.certificate] }));

// The same checks where certificates, keys and signatures are odder still.
type Alter = (members: Bytes[]) => Bytes[];
const withMember = (at: number, ...members: Bytes[]): Alter => (all) => all.toSpliced(at, 1, ...members);
const [VALIDITY, KEY, EXTENSIONS] = [4, 6, 7];
const ends = [text(0x17, "200101000000Z"), text(0x18, "20660101000000Z")];
const uniqueIdentifiers = [tlv(0x81, Uint8Array.of(0, 1)), tlv(0x82, Uint8Array.of(0, 1))];
vector("good-unique-identifiers", "accepted", "a certificate with issuerUniqueID and subjectUniqueID", byTsa({ alterTbs: (all) => all.toSpliced(EXTENSIONS, 0, ...uniqueIdentifiers) }));
vector("certificate-member", "encoding", "a certificate with a fourth member", byTsa({ outerRest: [nothing] }));
vector("certificate-tbs-member", "encoding", "a member after a certificate's extensions", byTsa({ alterTbs: (all) => [...all, nothing] }));
vector("certificate-three-times", "encoding", "a certificate with three times", byTsa({ alterTbs: withMember(VALIDITY, sequence(...ends, text(0x17, "400101000000Z"))) }));
vector("certificate-one-time", "encoding", "a certificate without an end", byTsa({ alterTbs: withMember(VALIDITY, sequence(text(0x17, "200101000000Z"))) }));
vector("extensions-none", "extended_key_usage", "a certificate without extensions", byTsa({ alterTbs: (all) => all.toSpliced(EXTENSIONS, 1) }));
vector("extension-member", "encoding", "an extension with a fourth member", byTsa({ extensions: [...tsaExtensions, sequence(oid("2.999.4"), boolean(true), octets(nothing), nothing)] }));
vector("key-identifier-none", "signer_certificate", "a signer named by SubjectKeyIdentifier, and a certificate that has none", forge({ identifier: tlv(0x80, identifier) }));
const usage = (...octetsOfBits: number[]): Bytes => byTsa({ extensions: [extension("2.5.29.15", true, tlv(0x03, Uint8Array.from(octetsOfBits))), extendedKeyUsage(true, Oid.timeStamping)] });
vector("key-usage-none", "key_usage", "a key for nothing", usage(0));
vector("key-usage-second-octet", "key_usage", "a key for signatures and decipherOnly", usage(7, 0x80, 0x80));
vector("key-usage-third-octet", "key_usage", "a key for signatures and a usage that has no name", usage(0, 0x80, 0, 1));
vector("issuer-constraints-false", "issuer_is_ca", "an intermediate that says in full that it is no CA", byIntermediate({ extensions: [extension("2.5.29.19", true, sequence(boolean(false))), keyCertSign] }));
vector("issuer-constraints-member", "encoding", "basicConstraints with a third member", byIntermediate({ extensions: [extension("2.5.29.19", true, sequence(boolean(true), integer(3), nothing)), keyCertSign] }));
vector("issuer-name-constraints-not-critical", "certificate_critical_extension", "an intermediate with name constraints that exclude every directory name, and are not critical", byIntermediate({ extensions: [...caExtensions, extension("2.5.29.30", false, sequence(context(1, sequence(context(4, sequence())))))] }));
vector("good-issuer-purpose", "accepted", "an intermediate for timestamps", byIntermediate({ extensions: [...caExtensions, extendedKeyUsage(true, Oid.timeStamping)] }));
vector("good-issuer-purpose-any", "accepted", "an intermediate for any purpose", byIntermediate({ extensions: [...caExtensions, extendedKeyUsage(false, "2.5.29.37.0")] }));
vector("issuer-algorithm-unnamed", "signature_algorithm", "an intermediate's certificate whose signature does not name its digest", rsaChain(Schemes.rsaPlain));
vector("good-issuer-rsa", "accepted", "an intermediate with an RSA key", rsaChain(Schemes.rsaSha256));

// Keys.
const publicKey = (keys: KeyPair): Bytes => keys.publicKey.export({ type: "spki", format: "der" });
const numberOf = (keys: KeyPair, name: "n" | "x" | "y"): Buffer => Buffer.from(String(keys.publicKey.export({ format: "jwk" })[name]), "base64url");
const byKey = (info: Bytes, keys: KeyPair, scheme: Scheme = Schemes.ecdsaSha256): Bytes => byTsa({ keys, alterTbs: withMember(KEY, info) }, { scheme });
const ec = ecKeys();
const [x, y] = [numberOf(ec, "x"), numberOf(ec, "y")];
const ecKey = (point: Bytes, id = "1.2.840.10045.2.1"): Bytes => sequence(sequence(oid(id), oid("1.2.840.10045.3.1.7")), bits(point));
const sign = 2 + ((y.at(-1) ?? 0) & 1);
vector("key-compressed", "public_key", "a point in its short form, which not every WebCrypto reads", byKey(ecKey(Buffer.concat([Uint8Array.of(sign), x])), ec));
vector("key-hybrid", "public_key", "a point in the hybrid form of X9.62", byKey(ecKey(Buffer.concat([Uint8Array.of(sign + 4), x, y])), ec));
vector("key-off-curve", "public_key", "a point that does not lie on the curve", byKey(ecKey(Buffer.concat([Uint8Array.of(4), x, x])), ec));
vector("key-agreement", "public_key", "a key for ECDH", byKey(ecKey(Buffer.concat([Uint8Array.of(4), x, y]), "1.3.132.1.12"), ec));
vector("key-member", "encoding", "a SubjectPublicKeyInfo with a third member", byKey(Buffer.concat([sequence(...membersOf(publicKey(ec)), nothing)]), ec));
const modulus = numberOf(rsa.keys, "n");
const rsaKey = (...numbers: Bytes[]): Bytes => sequence(sequence(oid("1.2.840.113549.1.1.1"), nothing), bits(sequence(...numbers)));
const byRsaKey = (info: Bytes): Bytes => byKey(info, rsa.keys, Schemes.rsaSha256);
const exponent = integer(Uint8Array.of(1, 0, 1));
vector("key-kind-rsa", "public_key", "an RSA signature under a certificate for an ECDSA key", byKey(publicKey(ec), rsa.keys, Schemes.rsaSha256));
vector("rsa-exponent", "public_key", "an RSA key with an exponent as long as its modulus", byRsaKey(rsaKey(integer(modulus), integer(modulus.with(0, 0x3f)))));
vector("rsa-key-negative", "encoding", "an RSA key with a negative modulus", byRsaKey(rsaKey(tlv(0x02, modulus), exponent)));
vector("rsa-key-member", "encoding", "an RSA key with a third number", byRsaKey(rsaKey(integer(modulus), exponent, integer(3))));
vector("rsa-key-trailing-byte", "encoding", "a byte after an RSA key", byRsaKey(sequence(sequence(oid("1.2.840.113549.1.1.1"), nothing), bits(Buffer.concat([sequence(integer(modulus), exponent), Uint8Array.of(0)])))));
const byPssKey = (keys: KeyPair, scheme: Scheme): Bytes => makeToken({
  tsa: { ...makeIdentity({ name: "TSA", issuer: ca, extensions: tsaExtensions, keys }), privateKey: rsa.keys.privateKey }, scheme,
});
vector("pss-key-parameters-other-scheme", "public_key", "a key for RSASSA-PSS with SHA-256 under PKCS #1 v1.5", byPssKey(pssKeys("sha256"), Schemes.rsaSha256));
vector("pss-key-salt", "public_key", "a key for RSASSA-PSS with a salt of 48 bytes, used with 32", byPssKey(pssKeys("sha256", 48), Schemes.pssSha256));
vector("pss-key-other-digest-alone", "public_key", "a key for RSASSA-PSS with SHA-512 and any salt, used with SHA-256", byPssKey(pssKeys("sha512", 0), Schemes.pssSha256));

// Signatures.
vector("pss-salt", "signature", "RSASSA-PSS with a salt for which the key has no room", byRsaPss("pssLongSalt"));
vector("pss-parameters-none", "signature_algorithm", "RSASSA-PSS whose parameters are left out", byRsaPss("pssNoParameters"));
vector("pss-parameters-member", "signature_algorithm", "RSASSA-PSS with a fifth parameter", byRsaPss("pssMore"));
vector("pss-mask-other-digest", "signature_algorithm", "RSASSA-PSS with SHA-256 whose mask names SHA-384", byRsaPss("pssMaskSha384"));
vector("pss-mask-function", "signature_algorithm", "RSASSA-PSS with a mask that nobody knows", byRsaPss("pssMaskFunction"));
vector("signature-algorithm-member", "encoding", "an AlgorithmIdentifier with a third member", forge({ scheme: { ...Schemes.ecdsaSha256, algorithm: sequence(oid("1.2.840.10045.4.3.2"), nothing, nothing) } }));
vector("signature-three-numbers", "signature", "an ECDSA signature of three numbers", forge({ alterSignature: (signature) => sequence(...membersOf(signature), integer(1)) }));
vector("signature-negative", "signature", "an ECDSA signature whose first number lost its sign octet", forgeNegative());

// What is signed.
const chain = makeIdentity({ name: "Intermediate", issuer: ca, extensions: caExtensions });
const chained = makeIdentity({ name: "TSA", issuer: chain, extensions: tsaExtensions });
const certId = ({ certificate }: Identity): Bytes => sequence(octets(hash("sha256", certificate)));
const byChain = (...certIds: Bytes[]): Bytes => makeToken({ tsa: chained, certificates: [chained.certificate, chain.certificate], attributes: { ess: attribute(Oid.essV2, sequence(sequence(...certIds))) } });
vector("good-ess-chain", "accepted", "ESSCertIDv2 names the signer's certificate and its issuer's", byChain(certId(chained), certId(chain)));
vector("good-ess-chain-root", "accepted", "ESSCertIDv2 names the whole chain", byChain(certId(chained), certId(chain), certId(ca)));
vector("ess-chain-other", "signing_certificate", "ESSCertIDv2 lets the chain lead through another certificate only", byChain(certId(chained), certId(other)));
vector("ess-chain-root-alone", "signing_certificate", "ESSCertIDv2 names the root and not the intermediate before it", byChain(certId(chained), certId(ca)));
vector("ess-chain-unreadable", "encoding", "ESSCertIDv2 names what is no certificate", byChain(certId(chained), nothing));
vector("ess-member", "encoding", "ESSCertIDv2 with a member that it does not have", byChain(sequence(octets(hash("sha256", chained.certificate)), integer(1))));
const tsaName = (name: Bytes): Bytes => forge({ tstInfo: { nonce: Buffer.concat([integer(NONCE), context(0, context(4, name))]) } });
vector("good-tsa-name", "accepted", "tsa names the signer", tsaName(tsa.name));
vector("good-tsa-name-other", "accepted", "tsa, a hint, names somebody else", tsaName(other.name));
vector("purpose-critical-false", "extended_key_usage", "the purpose says in full that it is not critical", purposes(sequence(oid("2.5.29.37"), boolean(false), octets(sequence(oid(Oid.timeStamping))))));
vector("good-unsigned-attributes", "accepted", "attributes that nobody signed", forge({ alterSigners: (signer) => [sequence(...membersOf(signer), context(1, attribute("2.999.5", integer(1))))] }));
vector("signer-member", "encoding", "a SignerInfo with a member that it does not have", forge({ alterSigners: (signer) => [sequence(...membersOf(signer), nothing)] }));
vector("identifier-member", "encoding", "issuer and serial number and something else", forge({ identifier: sequence(ca.name, integer(tsa.serial), nothing) }));
vector("good-intermediate-short", "accepted", "an intermediate that runs out before the TSA's certificate", byIntermediate({ notAfter: "20270101000000Z" }));
vector("good-ordering-false", "accepted", "an ordering that says in full that there is none", forge({ tstInfo: { ordering: boolean(false) } }));
const accuracy = (...members: Bytes[]): Bytes => forge({ tstInfo: { accuracy: sequence(...members) } });
vector("good-accuracy-bounds", "accepted", "accuracy of 1 ms and 999 µs", accuracy(retag(0x80, integer(1)), retag(0x81, integer(Uint8Array.of(3, 0xe7)))));
vector("accuracy-zero", "accuracy", "accuracy of 0 milliseconds", accuracy(retag(0x80, integer(0))));
vector("accuracy-member", "accuracy", "accuracy with a fourth member", accuracy(integer(1), nothing));
const manyCertificates = (count: number): Bytes => forge({ certificates: Array.from({ length: count }, () => tsa.certificate) });
vector("good-certificates-16", "accepted", "as many certificates as a token may hold", manyCertificates(16));
vector("certificates-17", "encoding", "a certificate more than a token may hold", manyCertificates(17));
vector("good-attribute-certificate", "accepted", "an attribute certificate beside the signer's", forge({ certificates: [tsa.certificate, context(2, integer(1))] }));
vector("imprint-member", "encoding", "a messageImprint with a third member", forge({ tstInfo: { imprint: sequence(sequence(oid(Oid.sha256), nothing), octets(ROOT), nothing) } }));
vector("encapsulated-member", "encoding", "an EncapsulatedContentInfo with a third member", forge({ sentContent: (content) => Buffer.concat([context(0, octets(content)), nothing]) }));
vector("signed-data-member", "encoding", "a SignedData with a member after its signers", sequence(oid(Oid.signedData), context(0, sequence(...membersOf(membersOf(membersOf(good)[1] ?? nothing)[0] ?? nothing), nothing))));
vector("content-info-member", "encoding", "a ContentInfo with a third member", sequence(...membersOf(good), nothing));
vector("ess-issuer-member", "encoding", "an issuerSerial with a third member", forge({ attributes: { ess: essV2(tsa, sequence(generalNames(ca.name), integer(tsa.serial), nothing)) } }));
vector("good-crls", "accepted", "revocation lists beside the certificates", forge({ certificates: [tsa.certificate], crls: [sequence()] }));
vector("content-two-values", "encoding", "a ContentInfo of two contents", sequence(oid(Oid.signedData), context(0, ...membersOf(membersOf(good)[1] ?? nothing), nothing)));
vector("encapsulated-two-values", "encoding", "an EncapsulatedContentInfo of two contents", forge({ sentContent: (content) => context(0, octets(content), nothing) }));

// Whole responses.
const status = (code: number, ...rest: Bytes[]): Bytes => sequence(sequence(integer(code), ...rest));
const badAlgorithm = tlv(0x03, Uint8Array.of(7, 0x80));
writeFileSync("forged-rejection.tsr", status(2, sequence(text(0x0c, "not today")), badAlgorithm));
record("forged-rejection.tsr", "forged-ca.pem", "authority_failed", "PKIStatus rejection");
writeFileSync("forged-rejection-with-token.tsr", sequence(sequence(integer(2)), good));
record(
  "forged-rejection-with-token.tsr",
  "forged-ca.pem",
  "authority_failed",
  "PKIStatus rejection beside a good token",
);
writeFileSync("forged-granted-with-mods.tsr", sequence(sequence(integer(1)), good));
record("forged-granted-with-mods.tsr", "forged-ca.pem", "accepted", "PKIStatus grantedWithMods");

writeFileSync("index.json", `${JSON.stringify(entries, null, 2)}\n`);
const disagreements = entries.filter(
  ({ expected, openssl }) => (expected === "accepted") !== (openssl === "accepted"),
);
console.log(`${entries.length} vectors; openssl differs on:`);
for (const { file, expected, openssl } of disagreements) console.log(`  ${file}: ${expected} / ${openssl}`);

function chainedTo(issuer: Identity): Bytes {
  const below = makeIdentity({ name: "TSA", issuer, extensions: tsaExtensions });
  return makeToken({ tsa: below, certificates: [below.certificate, issuer.certificate] });
}

/** A token whose chain has an RSA key in its middle, which signed by this scheme. */
function rsaChain(scheme: Scheme): Bytes {
  const issuer = makeIdentity({ name: "Intermediate", issuer: ca, extensions: caExtensions, ...rsa });
  const below = makeIdentity({ name: "TSA", issuer, extensions: tsaExtensions, scheme });
  return makeToken({ tsa: below, certificates: [below.certificate, issuer.certificate] });
}

/** Tries until the first number has its highest bit set. */
function forgeNegative(): Bytes {
  let isNegative = false;
  const alterSignature = (signature: Bytes): Bytes => {
    const [r = nothing, s = nothing] = membersOf(signature);
    isNegative = r[2] === 0;
    return sequence(tlv(0x02, r.subarray(isNegative ? 3 : 2)), s);
  };
  let token = forge({ alterSignature });
  while (!isNegative) token = forge({ alterSignature });
  return token;
}
