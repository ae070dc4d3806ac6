import { describe, expect, test } from "vitest";
import { formatBase64 } from "../../../../evidence/core/bytes.ts";
import { PENDING_TIMESTAMP } from "../../../../evidence/core/formats/metachain.ts";
import { formatNode } from "../../../../evidence/core/merkle/hash.ts";
import { checkTimestamp, type StampedRoot } from "../../../../evidence/core/verify/verify-timestamp.ts";
import { timestampVector } from "../../../support/timestamp-vectors.ts";
import {
  caExtensions,
  makeIdentity,
  makeToken,
  ROOT,
  tsaExtensions,
} from "../../../vectors/timestamps/forge.ts";

const includedTimestamp = (der: Uint8Array) =>
  ({ ...PENDING_TIMESTAMP, status: "included", timestamp_token: formatBase64(der) }) as const;

async function findingOf(file: string, more: Partial<StampedRoot> = {}) {
  const { bytes, root, anchors } = timestampVector(file);
  const timestamp = includedTimestamp(bytes);
  return checkTimestamp({ root: `0x${root}`, timestamp, notBefore: null, trustAnchors: anchors, ...more });
}

test("a time is told no more exactly than its authority knows it", async () => {
  expect(await findingOf("forged-good-accuracy.der")).toEqual({
    holds: expect.stringMatching(/^the root existed at \S+Z, give or take 1\.50025 seconds, says CN=/),
  });
  expect(await findingOf("openssl-p256-sha256.der")).toEqual({
    holds: expect.stringMatching(/^the root existed at \S+Z, give or take 1 second, says CN=/),
  });
  expect(await findingOf("forged-good-fraction.der")).toEqual({
    holds: expect.stringMatching(/^the root existed at \S+Z, says CN=/),
  });
});

test("clocks may be five minutes apart, and no more: a token is neither older than what it covers nor of tomorrow", async () => {
  const file = "forged-good.der";
  const refused = { code: "token_invalid" };
  expect(await findingOf(file, { notBefore: "2026-10-01T12:05:00.000Z" })).toHaveProperty("holds");
  await expect(findingOf(file, { notBefore: "2026-10-01T12:05:00.001Z" })).rejects.toMatchObject(refused);
  expect(await findingOf(file, { now: "2026-10-01T11:55:00.000Z" })).toHaveProperty("holds");
  await expect(findingOf(file, { now: "2026-10-01T11:54:59.999Z" })).rejects.toMatchObject(refused);
});

const OTHER_ROOT = `0x${"5".repeat(64)}`;
const STRANGERS = timestampVector("openssl-rsa-sha512.der").anchors;

describe("a reader with another authority's certificate", () => {
  const ask = (file: string, more: Partial<StampedRoot> = {}) =>
    findingOf(file, { trustAnchors: STRANGERS, ...more });

  test("is told whose token it is, and that nothing was found wrong with it", async () => {
    expect(await ask("forged-good.der")).toEqual({
      reason: "other_authority",
      unchecked:
        "the token is by CN=TSA,C=DE, certified by CN=Root,C=DE: none of the given certificates is that authority's",
    });
  });

  test.each([
    ["forged-signature.der", {}, "signature"],
    ["forged-good.der", { root: OTHER_ROOT }, "imprint"],
    ["forged-purpose-none.der", {}, "extended_key_usage"],
    ["forged-ess-missing.der", {}, "signing_certificate"],
    ["forged-after-certificate.der", {}, "certificate_validity"],
  ])("is still told that %s %j is wrong: %s", async (file, more, violated) => {
    await expect(ask(file, more)).rejects.toMatchObject({ evidence: { check: violated } });
  });

  test.each([
    [{ notBefore: "2026-10-01T12:05:00.001Z" }, "the token is older than what it covers"],
    [{ now: "2026-10-01T11:54:59.999Z" }, "the token is of a time still to come"],
  ])("is still told of a time that can't be: %j", async (more, message) => {
    await expect(ask("forged-good.der", more)).rejects.toThrow(message);
  });
});

describe("a chain that leads to the reader's own certificate and breaks a rule is refused", () => {
  test.each([
    ["forged-path-length-intermediate.der", "path_length"],
    ["forged-issuer-no-ca.der", "issuer_is_ca"],
    ["forged-before-intermediate.der", "certificate_validity"],
    ["forged-ess-chain-other.der", "signing_certificate"],
  ])("%s: %s", async (file, violated) => {
    await expect(findingOf(file)).rejects.toMatchObject({ evidence: { check: violated } });
  });

  test("a certificate that the intermediate beside it did not sign: certificate_signature", async () => {
    const ca = makeIdentity({ name: "Root", extensions: caExtensions });
    const issuer = makeIdentity({ name: "Issuer", issuer: ca, extensions: caExtensions });
    const alterSignature = (bytes: Uint8Array) => bytes.with(-1, (bytes.at(-1) ?? 0) ^ 1);
    const tsa = makeIdentity({ name: "TSA", issuer, extensions: tsaExtensions, alterSignature });
    const der = makeToken({ tsa, certificates: [tsa.certificate, issuer.certificate] });
    const timestamp = includedTimestamp(der);
    const stamped = { root: formatNode(ROOT), timestamp, notBefore: null, trustAnchors: [ca.certificate] };
    await expect(checkTimestamp(stamped)).rejects.toMatchObject({
      evidence: { check: "certificate_signature" },
    });
  });
});
