// The times that a reader is shown: whose word each is, and by how much it may be off.
import { describe, expect, test } from "vitest";
import { PENDING_TIMESTAMP } from "../../../evidence/core/formats/metachain.ts";
import type { ProvenTime } from "../../../evidence/core/timestamps/proven-time.ts";
import { TimestampVerifier } from "../../../evidence/core/timestamps/timestamp-verifier.ts";
import {
  firstValid,
  isWide,
  provenBy,
  provenSince,
  readTokenTime,
  timesOf,
  tokenTimeOf,
  unusualDelay,
} from "../../../evidence/reader/times.ts";
import { ANCHORS } from "../../support/signed-report.ts";
import { readReceipt, readSeal } from "../../support/vector-files.ts";

const proven = (genTime: string, validUntil: string): ProvenTime => ({
  genTime,
  validUntil,
  accuracy: null,
  authority: { subject: "CN=A", issuer: "CN=B" },
  signer: "sha256:00",
  trustAnchor: "sha256:00",
  covers: "0x00",
});

test("the time to show is one that somebody answers for today, though another once said an earlier", () => {
  const early = proven("2026-10-01T12:00:05Z", "2028-01-01T00:00:00Z");
  const late = proven("2030-05-01T12:00:05Z", "2036-01-01T00:00:00Z");
  expect(firstValid([early, late], "2027-01-01T00:00:00Z")).toBe(early);
  expect(firstValid([early, late], "2031-01-01T00:00:00Z")).toBe(late);
  expect(firstValid([early, late], "2040-01-01T00:00:00Z")).toBe(early);
  expect(firstValid([], "2031-01-01T00:00:00Z")).toBeUndefined();
});

describe("an accuracy", () => {
  const at = (accuracy: number | null) => ({ genTime: "2026-10-01T12:00:05Z", accuracy });

  test("of a second or less changes nothing that is shown", () => {
    for (const accuracy of [null, 0, 0.5, 1]) {
      expect([accuracy, isWide({ accuracy })]).toEqual([accuracy, false]);
      expect([provenBy(at(accuracy)), provenSince(at(accuracy))]).toEqual([
        "2026-10-01T12:00:05Z",
        "2026-10-01T12:00:05Z",
      ]);
    }
  });

  test("of more is added to the moment by which it was, and taken from the one after which it was", () => {
    expect(isWide({ accuracy: 1.001 })).toBe(true);
    expect([provenBy(at(1.5)), provenSince(at(1.5))]).toEqual([
      "2026-10-01T12:00:06.500Z",
      "2026-10-01T12:00:03.500Z",
    ]);
  });
});

test("a delay is unusual where it is more than an hour", () => {
  const times = [proven("2026-10-01T13:00:00Z", "2028-01-01T00:00:00Z")];
  expect(unusualDelay("2026-10-01T12:00:00.000Z", times)).toBeNull();
  expect(unusualDelay("2026-10-01T11:59:59.999Z", times)).toBe(3_600_001);
  expect(unusualDelay("2026-10-01T14:00:00.000Z", times)).toBeNull();
  expect(unusualDelay("2026-10-01T11:00:00.000Z", [])).toBeNull();
});

test("the earliest proven time is told as a token's", () => {
  const early = proven("2026-10-01T12:00:05Z", "2028-01-01T00:00:00Z");
  expect(tokenTimeOf([early, proven("2030-05-01T12:00:05Z", "2036-01-01T00:00:00Z")])).toEqual({
    genTime: "2026-10-01T12:00:05Z",
    authority: "CN=A",
    trustAnchor: "sha256:00",
  });
  expect(tokenTimeOf([])).toBeNull();
});

describe("the time of a token", () => {
  const { merkle_root: root, tsa_timestamp: token } = readSeal("seals/2.json");
  const inputs = (anchors: readonly Uint8Array[]) => ({
    trustAnchors: new TimestampVerifier(anchors),
    now: "2026-11-27T12:00:00.000Z",
    renewals: [],
  });
  const [known, none] = [inputs(ANCHORS), inputs([])];

  test("has its authority where it leads to an anchor of the reader", async () => {
    const time = await readTokenTime(token, root, known);
    expect(time).toEqual({
      genTime: expect.stringMatching(/^2026-11-26T02:39:\d\d(?:\.\d+)?Z$/),
      authority: expect.stringContaining("CN="),
      trustAnchor: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    const { genTime } = time ?? expect.unreachable();
    const unverified = { genTime, authority: null, trustAnchor: null };
    expect(await readTokenTime(token, root, none)).toEqual(unverified);
    expect(await readTokenTime(token, `0x${"7".repeat(64)}`, known)).toEqual(unverified);
  });

  test("is none while it is pending, and where it can't be read", async () => {
    expect(await readTokenTime(undefined, root, known)).toBeNull();
    expect(await readTokenTime(PENDING_TIMESTAMP, root, known)).toBeNull();
    expect(await readTokenTime({ ...token, timestamp_token: "AAAA" }, root, known)).toBeNull();
  });

  test("is that of a receipt's root, and the one before it that of the seal that the receipt names", async () => {
    const report = readReceipt("receipts/hand-off.json") as unknown as Parameters<typeof timesOf>[0];
    const named = readReceipt("receipts/hand-off.json").receipts[0]?.recorded_after?.seal_index;
    const seal = readSeal(`seals/${named}.json`);
    const { tokenTime, times, recordedAfter } = await timesOf(report, known, seal);
    expect([tokenTime?.genTime, times.length]).toEqual([times[0]?.genTime, 1]);
    expect(Date.parse(recordedAfter?.genTime ?? "")).toBeLessThan(Date.parse(tokenTime?.genTime ?? ""));
    const unknown = await timesOf(report, none, seal);
    expect(unknown).toMatchObject({ tokenTime: { authority: null }, times: [], recordedAfter: null });
    const first = readReceipt("receipts/greeting.json") as unknown as Parameters<typeof timesOf>[0];
    expect((await timesOf(first, known, seal)).recordedAfter).toBeNull();
  });
});
