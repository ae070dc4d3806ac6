import { expect, test } from "vitest";
import { formatBase64 } from "../../../core/bytes.ts";
import { PENDING_TIMESTAMP } from "../../../core/formats/metachain.ts";
import { checkTimestamp, type StampedRoot } from "../../../core/verify/verify-timestamp.ts";
import { timestampVector } from "../../support/timestamp-vectors.ts";

async function findingOf(file: string, more: Pick<StampedRoot, "now"> & { notBefore?: string } = {}) {
  const { bytes, root, anchors } = timestampVector(file);
  const timestamp = {
    ...PENDING_TIMESTAMP,
    status: "included",
    timestamp_token: formatBase64(bytes),
  } as const;
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
