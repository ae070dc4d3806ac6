import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatHex } from "../../evidence/core/bytes.ts";
import { parseTimestampToken, verifyTimestampToken } from "../../evidence/core/timestamps/timestamp-token.ts";
import { digestNameOf } from "../../evidence/core/timestamps/x509/algorithms.ts";
import { parseCertificatesPem } from "../../evidence/core/timestamps/x509/pem.ts";
import { startTimestampAuthority, type TimestampAuthority } from "../../host/local/timestamp-authority.ts";
import { requestTimestamp } from "../../service/timestamps/timestamp-authority.ts";
import {
  buildTimeStampReq,
  parseTimeStampResp,
  randomNonce,
} from "../../service/timestamps/timestamp-request.ts";
import { type AuthorityKind, OpensslAuthority } from "./openssl-authority.ts";
import { describeWith, hasOpenssl, makeFolder, openssl, opensslVerdict } from "./tools.ts";

type Key = AuthorityKind["key"];
const curve = (name: string): Key => ["-algorithm", "EC", "-pkeyopt", `ec_paramgen_curve:${name}`];
const rsa = (bits: number): Key => ["-algorithm", "RSA", "-pkeyopt", `rsa_keygen_bits:${bits}`];
const PSS_KEY: Key = ["-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:2048"];
const PSS_CERTIFICATES = ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:32"];
const PSS = ["-keyopt", "rsa_padding_mode:pss"];

const KINDS: readonly [string, AuthorityKind][] = [
  ["RSA-2048", { key: rsa(2048) }],
  ["RSA-3072 under an intermediate", { key: rsa(3072), hasIntermediate: true }],
  ["RSA with certificates signed by RSASSA-PSS", { key: rsa(2048), certificateOptions: PSS_CERTIFICATES }],
  ["P-256", { key: curve("P-256") }],
  ["P-256 under an intermediate", { key: curve("P-256"), hasIntermediate: true }],
  ["P-384", { key: curve("P-384") }],
  ["P-521", { key: curve("P-521") }],
];
const CMS_SIGNERS: readonly [string, Key, readonly string[]][] = [
  ["RSASSA-PSS with SHA-256", rsa(2048), ["-md", "sha256", ...PSS]],
  ["RSASSA-PSS with SHA-384", rsa(2048), ["-md", "sha384", ...PSS]],
  ["RSASSA-PSS with SHA-512", rsa(3072), ["-md", "sha512", ...PSS]],
  ["a key for RSASSA-PSS alone", PSS_KEY, ["-md", "sha256", ...PSS]],
  ["the signer by its subject key identifier", curve("P-256"), ["-md", "sha256", "-keyid"]],
];
const DIGESTS = ["sha256", "sha384", "sha512"] as const;
const WEBCRYPTO = { sha256: "SHA-256", sha384: "SHA-384", sha512: "SHA-512" } as const;

describeWith(hasOpenssl, "openssl", "tokens by openssl ts", () => {
  let plain: OpensslAuthority;
  beforeAll(() => {
    plain = new OpensslAuthority({ key: curve("P-256") });
  });

  test.for(KINDS)(
    "with %s are accepted, whatever the digests, and say what was asked",
    async ([name, kind]) => {
      const authority = new OpensslAuthority(kind);
      for (const digest of DIGESTS) await expectAccepted(authority, name, digest);
    },
  );

  test.for(CMS_SIGNERS)("are accepted as openssl cms signs them: %s", async ([, key, options]) => {
    const authority = new OpensslAuthority({ key });
    const { root, nonce, request } = ask();
    // Its TSTInfo comes from an authority of another kind: openssl ts itself signs by PKCS #7 alone.
    const { content } = parseTimestampToken(parseTimeStampResp(plain.reply(request, "sha256")));
    const token = authority.signContent(content, options);
    const verified = await verifyTimestampToken(token, root, authority.trustAnchors, { nonce });
    expect(verified.messageImprint).toBe(formatHex(root));
  });

  test("are accepted with ESSCertID of old, and of an authority that orders its tokens", async () => {
    const { root, nonce, request } = ask();
    const token = parseTimeStampResp(plain.reply(request, "sha256", "sha1", true));
    expect(await verifyTimestampToken(token, root, plain.trustAnchors, { nonce })).toMatchObject({
      accuracy: 1.5001,
      policy: "2.999.1",
    });
  });

  test("are refused with another authority's root, as by openssl", async () => {
    const other = new OpensslAuthority({ key: curve("P-256") });
    const { root, request } = ask();
    const token = parseTimeStampResp(plain.reply(request, "sha256"));
    // Both roots bear one name: only the keys tell them apart.
    await expect(verifyTimestampToken(token, root, other.trustAnchors)).rejects.toMatchObject({
      evidence: { check: "trust_anchor" },
    });
    writeFileSync(join(other.folder, "token.der"), token);
    const words = ["-digest", formatHex(root), "-in", "token.der", "-token_in", "-CAfile", "root.pem"];
    expect(opensslVerdict(other.folder, ...words)).not.toBe("accepted");
  });
});

async function expectAccepted(authority: OpensslAuthority, name: string, digest: (typeof DIGESTS)[number]) {
  const { root, nonce, request } = ask();
  const token = parseTimeStampResp(authority.reply(request, digest, digest));
  const verified = await verifyTimestampToken(token, root, authority.trustAnchors, { nonce });
  expect(verified, name).toMatchObject({
    messageImprint: formatHex(root),
    authority: { subject: "CN=openssl tsa" },
  });
  const digests = parseTimestampToken(token).signers.map((signer) => digestNameOf(signer.digestAlgorithm));
  expect(digests, name).toEqual([WEBCRYPTO[digest]]);
  expect(Math.abs(Date.parse(verified.genTime) - Date.now())).toBeLessThan(60_000);
}

function ask(): { root: Uint8Array; nonce: Uint8Array; request: Uint8Array } {
  const root = new Uint8Array(randomBytes(32));
  const nonce = randomNonce();
  return { root, nonce, request: buildTimeStampReq(root, nonce) };
}

describeWith(hasOpenssl, "openssl", "tokens of the development authority", () => {
  const folder = makeFolder();
  let authority: TimestampAuthority;

  beforeAll(async () => {
    authority = await startTimestampAuthority({ directory: join(folder, "identity") });
    writeFileSync(join(folder, "root.pem"), authority.certificatePem);
  });
  afterAll(() => authority.close());

  test("are accepted by openssl ts -verify when our client asked for them", async () => {
    const root = new Uint8Array(randomBytes(32));
    const trustAnchors = parseCertificatesPem(authority.certificatePem);
    const context = { trustAnchors, clock: () => new Date(), fetch: globalThis.fetch };
    const subject = { root, notBefore: new Date().toISOString() };
    const { token } = await requestTimestamp(authority.url, subject, context, AbortSignal.timeout(60_000));
    writeFileSync(join(folder, "token.der"), token);
    const words = ["-in", "token.der", "-token_in", "-CAfile", "root.pem"];
    expect(opensslVerdict(folder, "-digest", formatHex(root), ...words)).toBe("accepted");
    const other = formatHex(root.map((byte) => byte ^ 1));
    expect(opensslVerdict(folder, "-digest", other, ...words)).not.toBe("accepted");
  });

  test.for(["with", "without"])("answer a query of openssl's own, %s a certificate", async (how) => {
    const isCertified = how === "with";
    const digest = formatHex(new Uint8Array(randomBytes(32)));
    const options = isCertified ? ["-cert"] : [];
    openssl(folder, "ts", "-query", "-digest", digest, "-sha256", ...options, "-out", "query.tsq");
    const body = new Uint8Array(readFileSync(join(folder, "query.tsq")));
    const headers = { "content-type": "application/timestamp-query" };
    const response = await fetch(authority.url, { method: "POST", headers, body });
    const reply = new Uint8Array(await response.arrayBuffer());
    writeFileSync(join(folder, "reply.tsr"), reply);
    const words = ["-queryfile", "query.tsq", "-in", "reply.tsr", "-CAfile", "root.pem"];
    // Without -cert the reply holds none, as it must not, and openssl can't find the signer's.
    expect(opensslVerdict(folder, ...words) === "accepted").toBe(isCertified);
    expect(parseTimestampToken(parseTimeStampResp(reply)).certificates).toHaveLength(isCertified ? 1 : 0);
  });
});
