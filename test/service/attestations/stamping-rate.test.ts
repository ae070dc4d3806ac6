// Which receipts are stamped in the call, by a tenant's rate and the chain's own time.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isStampDue } from "../../../service/attestations/attestations.ts";
import type { Appended } from "../../../service/ledger/appended.ts";
import type { Caller } from "../../../service/tenants/tenants.ts";

const NOON = Date.parse("2026-11-21T12:00:00.000Z");
const MINUTE_MS = 60_000;

const instant = (ms: number): string => new Date(NOON + ms).toISOString();

const appendedAt = (ms: number, previousMs: number | null, isReplay = false): Appended => {
  const previousIssuedAt = previousMs === null ? null : instant(previousMs);
  const receipt = { core: { issued_at: instant(ms) } };
  return { receipt, previousIssuedAt, isReplay, writtenWith: [] } as unknown as Appended;
};

const callerOf = (inlineStampsPerMinute: number | null, chains = 1): Caller =>
  ({ inlineStampsPerMinute, chains }) as unknown as Caller;

describe("a receipt is stamped in the call", () => {
  test.each([
    ["where there is no rate", callerOf(null), appendedAt(1, 0), true],
    ["where there is no rate, if it is a replay too", callerOf(null), appendedAt(1, null, true), true],
    ["not where the rate is 0", callerOf(0), appendedAt(MINUTE_MS, null), false],
    ["as the first of its chain", callerOf(1), appendedAt(30_000, null), true],
    ["as the first of its slot", callerOf(4), appendedAt(15_000, 14_999), true],
    ["not as the second of its slot", callerOf(4), appendedAt(29_999, 15_000), false],
    ["not as one of the same millisecond", callerOf(1_000), appendedAt(15_000, 15_000), false],
    ["after a long silence", callerOf(1), appendedAt(30 * MINUTE_MS, 0), true],
    ["not as a replay, whose slot is over", callerOf(4), appendedAt(15_000, null, true), false],
    ["where each of two chains has half of the rate", callerOf(4, 2), appendedAt(30_000, 29_999), true],
    ["not in the half that is the other chain's", callerOf(4, 2), appendedAt(15_000, 14_999), false],
  ])("%s", (_, caller, appended, expected) => {
    expect(isStampDue(caller, appended)).toBe(expected);
  });
});

test("no chain is stamped more often in a minute than its tenant's rate allows", () => {
  const pausesMs = fc.array(fc.nat(20_000), { minLength: 1, maxLength: 200 });
  const property = fc.property(pausesMs, fc.integer({ min: 1, max: 120 }), (pauses, rate) => {
    const stamped = new Map<number, number>();
    let [ms, previousMs]: [number, number | null] = [0, null];
    for (const pause of pauses) {
      [previousMs, ms] = [ms, ms + pause];
      const minute = Math.floor(ms / MINUTE_MS);
      if (isStampDue(callerOf(rate), appendedAt(ms, previousMs)))
        stamped.set(minute, (stamped.get(minute) ?? 0) + 1);
    }
    expect(Math.max(0, ...stamped.values())).toBeLessThanOrEqual(rate);
  });
  fc.assert(property);
});
