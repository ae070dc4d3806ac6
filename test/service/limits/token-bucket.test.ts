// The rate of a plan: a burst at once, then one call for each token that comes.
import { expect, test } from "vitest";
import type { Plans } from "../../../contract/plans.ts";
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import { RateLimit } from "../../../service/limits/token-bucket.ts";

const SECOND = 1_000;
const PLAN = { rate: 2, burst: 3, monthlyQuota: 1, chains: 1 };
const NOW = new Date("2026-11-22T12:00:00.000Z");

function newLimit(plans: Plans = { gold: PLAN, silver: { ...PLAN, burst: 1 } }) {
  const time = { ms: 5 };
  const limit = new RateLimit({ plans, monotonic: () => time.ms, clock: () => NOW });
  /** How many of `calls` pass. */
  const passed = (calls: number, tenantId = "acme", plan = "gold"): number => {
    let count = 0;
    for (let i = 0; i < calls; i++) {
      try {
        limit.take(tenantId, plan);
        count += 1;
      } catch (error) {
        expect(error).toMatchObject({ code: "rate_exceeded", reached: { limit: "rate" } });
      }
    }
    return count;
  };
  return { limit, time, passed };
}

test("a tenant may make as many calls at once as its plan's burst, and no more", () => {
  const { passed } = newLimit();
  expect(passed(10)).toBe(3);
  expect(passed(10)).toBe(0);
});

test("the rate comes back with time, and calls that are refused cost nothing of it", () => {
  const { passed, time } = newLimit();
  passed(3);
  time.ms += SECOND / 4;
  expect(passed(100)).toBe(0);
  time.ms += SECOND / 4;
  expect(passed(100)).toBe(1);
  time.ms += SECOND;
  expect(passed(100)).toBe(2);
  time.ms += 1_000 * SECOND;
  expect(passed(100)).toBe(3);
});

test("over a long time a tenant gets its rate", () => {
  const { passed, time } = newLimit();
  let count = 0;
  for (let tenth = 0; tenth < 100; tenth++, time.ms += SECOND / 10) count += passed(5);
  expect(count).toBe(3 + 19);
});

test("the refusal says when the next call may come, in whole seconds too", () => {
  const { limit, passed } = newLimit({ slow: { ...PLAN, rate: 1 } });
  expect(passed(3, "acme", "slow")).toBe(3);
  const reached = { limit: "rate", endsAt: "2026-11-22T12:00:01.000Z", retryAfterSeconds: 1 };
  expect(() => limit.take("acme", "slow")).toThrowError(
    expect.objectContaining({
      reached,
      message: expect.stringContaining("1 calls a second, 3 of them at once"),
    }),
  );
});

test("tenants don't use up each other's rate", () => {
  const { passed } = newLimit();
  passed(10, "acme");
  expect(passed(10, "other")).toBe(3);
});

test("a smaller plan holds from the next call on", () => {
  const { passed, time } = newLimit();
  passed(1);
  expect(passed(10, "acme", "silver")).toBe(1);
  time.ms += 10 * SECOND;
  expect(passed(10, "acme", "silver")).toBe(1);
});

test.each(["unlisted", "constructor"])("a tenant on the plan %s, which is not listed, is refused", (plan) => {
  const { limit } = newLimit();
  const forbidden = expect.toSatisfy((error) => isDisclosureError(error, "forbidden"));
  expect(() => limit.take("acme", plan)).toThrow(forbidden);
});

test("without any plans nobody has limits", () => {
  const { passed } = newLimit({});
  expect(passed(1_000)).toBe(1_000);
});
