import { expect, test } from "vitest";
import { formatBase64 } from "../../core/bytes.ts";
import { PENDING_TIMESTAMP } from "../../core/metachain.ts";
import { checkTimestamp } from "../../core/verify-timestamp.ts";
import { timestampVector } from "../support/timestamp-vectors.ts";

async function findingOf(file: string) {
  const { bytes, root, anchors } = timestampVector(file);
  const timestamp = {
    ...PENDING_TIMESTAMP,
    status: "included",
    timestamp_token: formatBase64(bytes),
  } as const;
  return checkTimestamp({ root: `0x${root}`, timestamp, notBefore: null, trustAnchors: anchors });
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
