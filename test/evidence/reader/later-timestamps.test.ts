// Tokens that came after a root was published: how many are read, and where they stand in the seal.
import { describe, expect, test } from "vitest";
import { utf8 } from "../../../evidence/core/bytes.ts";
import { PENDING_TIMESTAMP, type TsaTimestamp } from "../../../evidence/core/formats/metachain.ts";
import {
  MAX_LATER,
  parseTimestamp,
  readLater,
  withLater,
} from "../../../evidence/reader/later-timestamps.ts";
import type { MetachainSource } from "../../../evidence/reader/metachain.ts";
import { readSeal } from "../../support/vector-files.ts";

const token = (n: number): TsaTimestamp => ({
  status: "included",
  timestamp_token: Buffer.of(n).toString("base64"),
  tsa_url: `https://authority.example/${n}`,
  covers: "merkle_root",
});
const bytesOf = (n: number): Uint8Array => utf8(JSON.stringify(token(n)));
const own = { ...readSeal("seals/2.json"), tsa_timestamp: token(0), additional_timestamps: [token(1)] };
const pending = { ...own, tsa_timestamp: PENDING_TIMESTAMP };

describe("the tokens of a seal that came later", () => {
  /** A log that has so many of them for seal 2, and none for another. */
  const logWith = (count: number): MetachainSource => ({
    name: "memory",
    head: () => expect.unreachable(),
    root: () => expect.unreachable(),
    timestamp: async (index, n) => (index === 2 && n < count ? bytesOf(n) : null),
  });

  test("are read in their order until there is no other", async () => {
    expect(await readLater(logWith(3), 2)).toEqual([0, 1, 2].map(bytesOf));
    expect(await readLater(logWith(3), 1)).toEqual([]);
  });

  test("are no more than any service asks for, whatever a host answers", async () => {
    expect(await readLater(logWith(Number.POSITIVE_INFINITY), 2)).toHaveLength(MAX_LATER);
  });

  test("stand behind those that it was published with", () => {
    expect(withLater(own, [2, 3].map(bytesOf))).toEqual({
      ...own,
      additional_timestamps: [token(1), token(2), token(3)],
    });
  });

  test("give it its own where that was pending", () => {
    expect(withLater(pending, [2, 3].map(bytesOf))).toEqual({
      ...own,
      tsa_timestamp: token(2),
      additional_timestamps: [token(1), token(3)],
    });
    expect(withLater(pending, [])).toEqual(pending);
    expect(withLater(own, [])).toEqual(own);
  });

  test("are refused where the bytes are none", () => {
    expect(parseTimestamp(bytesOf(1))).toEqual(token(1));
    expect(() => withLater(own, [utf8('{"status":"included"}')])).toThrow(
      expect.objectContaining({
        code: "malformed",
        message: "a later timestamp is not as the format says",
      }),
    );
  });
});
