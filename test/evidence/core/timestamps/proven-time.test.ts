// The time that one token proves, by the clocks of the service and of the reader.
import { describe, expect, test } from "vitest";
import { formatBase64 } from "../../../../evidence/core/bytes.ts";
import { formatNode } from "../../../../evidence/core/merkle/hash.ts";
import {
  isValidAt,
  type ProvenTime,
  readToken,
  verifyTimestamp,
} from "../../../../evidence/core/timestamps/proven-time.ts";
import { timestampVector } from "../../../support/timestamp-vectors.ts";

const VECTOR = timestampVector("forged-good.der");
const ROOT = formatNode(VECTOR.rootBytes);
const TOKEN = formatBase64(VECTOR.bytes);
/** Five minutes before and after its genTime, which is 12:00:00. */
const [EARLY, LATE] = ["2026-10-01T11:55:00.000Z", "2026-10-01T12:05:00.000Z"];
const INCLUDED = {
  status: "included",
  timestamp_token: TOKEN,
  tsa_url: "http://tsa.example",
  covers: "merkle_root",
} as const;
const PENDING = { ...INCLUDED, status: "pending", timestamp_token: null } as const;
const invalid = expect.objectContaining({ code: "token_invalid" });

const prove = (
  notBefore: string | null,
  now: string | undefined,
  trustAnchors = VECTOR.anchors,
): Promise<ProvenTime | null> => verifyTimestamp(ROOT, INCLUDED, notBefore, { trustAnchors, now });

describe("verifyTimestamp", () => {
  test("proves the time of the token, and says of which root", async () => {
    expect(await prove(null, undefined)).toMatchObject({ genTime: "2026-10-01T12:00:00Z", covers: ROOT });
  });

  test("proves nothing while the timestamp is pending", async () => {
    const knowledge = { trustAnchors: VECTOR.anchors };
    expect(await verifyTimestamp(ROOT, PENDING, LATE, knowledge)).toBeNull();
  });

  test("allows clocks five minutes apart, and no more", async () => {
    expect(await prove(LATE, EARLY)).toMatchObject({ covers: ROOT });
    await expect(prove("2026-10-01T12:05:00.001Z", undefined)).rejects.toEqual(invalid);
    await expect(prove(null, "2026-10-01T11:54:59.999Z")).rejects.toEqual(invalid);
  });

  test("calls a token that is too old wrong, even where its authority is a stranger", async () => {
    const strangers = timestampVector("openssl-rsa-sha512.der").anchors;
    await expect(prove("2026-10-01T13:00:00Z", undefined, strangers)).rejects.toMatchObject({
      message: "the token is older than what it covers",
    });
    await expect(prove(null, undefined, strangers)).rejects.toMatchObject({
      code: "token_open",
      evidence: { reason: "other_authority" },
    });
  });
});

describe("readToken", () => {
  test("takes a token where the status says that there is one, and nothing else", () => {
    expect(readToken(INCLUDED)).toBe(TOKEN);
    expect(readToken(PENDING)).toBeNull();
    for (const [status, timestamp_token] of [
      ["included", null],
      ["pending", TOKEN],
    ] as const)
      expect(() => readToken({ ...INCLUDED, status, timestamp_token })).toThrow(invalid);
  });
});

test("certificates are valid up to their last second", async () => {
  const time = (await prove(null, undefined)) ?? expect.unreachable();
  expect(isValidAt(time, time.validUntil)).toBe(true);
  expect(isValidAt(time, new Date(Date.parse(time.validUntil) + 1).toISOString())).toBe(false);
});
