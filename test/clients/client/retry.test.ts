import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type CallAnswer, readRetryAfter, sendWithRetry } from "../../../clients/client/retry.ts";

const LIMITS = { attempts: 5, timeoutMs: 10_000, deadlineMs: 30_000 };
const GOOD: CallAnswer = { status: 200, body: "good", retryAfterMs: 0, warning: null };
const busy = (retryAfterMs = 0): CallAnswer => ({ status: 503, body: null, retryAfterMs, warning: null });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Sends with a clock of the test's; notes when each attempt was made. */
function sending(answers: readonly (CallAnswer | "none")[], limits = LIMITS, signal?: AbortSignal) {
  const at: number[] = [];
  const send = (attempt: AbortSignal): Promise<CallAnswer> => {
    const answer = answers[at.length] ?? busy();
    at.push(performance.now());
    if (answer !== "none") return Promise.resolve(answer);
    return new Promise((_, reject) => attempt.addEventListener("abort", () => reject(attempt.reason)));
  };
  const start = performance.now();
  const ended = sendWithRetry(send, limits, signal).catch((error: unknown) => error);
  return { ended, times: () => at.map((time) => time - start) };
}

describe("what is sent again", () => {
  test("is not sent sooner than the service asked for, nor much later", async () => {
    const { ended, times } = sending([busy(7_000), GOOD]);
    await vi.advanceTimersByTimeAsync(6_999);
    expect(times()).toEqual([0]);
    await vi.advanceTimersByTimeAsync(1);
    expect([await ended, times()]).toEqual([GOOD, [0, 7_000]]);
  });

  test("waits twice as long after each failure, and by chance less", async () => {
    const chance = vi.spyOn(Math, "random").mockReturnValue(1);
    const longest = sending([]);
    await vi.runAllTimersAsync();
    expect(longest.times()).toEqual([0, 400, 1_200, 2_800, 6_000]);
    chance.mockReturnValue(0.5);
    const half = sending([]);
    await vi.runAllTimersAsync();
    expect(half.times()).toEqual([0, 200, 600, 1_400, 3_000]);
  });

  test("is given up where the next attempt would begin after the deadline", async () => {
    const { ended, times } = sending([busy(20_000), busy(20_000)]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await ended).toMatchObject({ code: "undeliverable", retryAfterMs: 20_000 });
    expect(times()).toEqual([0, 20_000]);
  });

  test("has for its last attempt what is left of the deadline, and no more", async () => {
    vi.spyOn(Math, "random").mockReturnValue(1);
    const { ended, times } = sending(["none", "none", "none", "none"], { ...LIMITS, deadlineMs: 25_000 });
    await vi.advanceTimersByTimeAsync(24_999);
    expect(times()).toEqual([0, 10_400, 21_200]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await ended).toMatchObject({
      code: "undeliverable",
      cause: new Error("the service did not answer in time"),
    });
  });

  test("leaves nothing on a signal that lives on, and no timer", async () => {
    const { signal } = new AbortController();
    const [added, removed] = [vi.spyOn(signal, "addEventListener"), vi.spyOn(signal, "removeEventListener")];
    const { ended } = sending([busy(), "none", busy(), GOOD], LIMITS, signal);
    await vi.runAllTimersAsync();
    expect(await ended).toEqual(GOOD);
    expect(added.mock.calls.length).toBeGreaterThan(4);
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(added.mock.calls.map(([, it]) => it));
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("Retry-After", () => {
  const NOW = Date.parse("2026-11-21T12:00:00Z");
  const HOUR_MS = 3_600_000;
  test.each([
    ["0", 0],
    ["7", 7_000],
    [" 120 ", 120_000],
    ["999999999", HOUR_MS],
    ["9999999999", 0],
    ["1.5", 0],
    ["-1", 0],
    ["in 5 minutes", 0],
    ["", 0],
    ["Sat, 21 Nov 2026 12:00:10 GMT", 10_000],
    ["Sat, 21 Nov 2026 11:59:00 GMT", 0],
    ["Sat, 21 Nov 2036 12:00:00 GMT", HOUR_MS],
    ["Sat, 99 Nov 2026 12:00:10 GMT", 0],
  ])("%j is %i ms", (value, expected) => {
    expect(readRetryAfter(new Headers({ "retry-after": value }), NOW)).toBe(expected);
  });

  test("as a date counts from the service's own clock", () => {
    const headers = {
      date: "Fri, 20 Nov 2026 12:00:00 GMT",
      "retry-after": "Fri, 20 Nov 2026 12:00:03 GMT",
    };
    expect(readRetryAfter(new Headers(headers), NOW)).toBe(3_000);
  });

  test("that is missing is 0 ms", () => {
    expect(readRetryAfter(new Headers(), NOW)).toBe(0);
  });
});
