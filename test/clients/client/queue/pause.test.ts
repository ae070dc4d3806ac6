import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { QueuePause } from "../../../../clients/client/queue/pause.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** How long each pause is, of failures one after the other. */
function lengthsOf(failures: number, atLeastMs = 0): number[] {
  const resumed = vi.fn();
  const pause = new QueuePause(resumed);
  const lengths: number[] = [];
  for (let n = 0; n < failures; n++) {
    const start = performance.now();
    pause.start(atLeastMs);
    vi.advanceTimersToNextTimer();
    lengths.push(performance.now() - start);
    expect(resumed).toHaveBeenCalledTimes(n + 1);
  }
  return lengths;
}

test("a pause is twice as long after each failure, up to half a minute", () => {
  expect(lengthsOf(8)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test("a pause is as long as the service asks for, and not shorter than its own", () => {
  expect(lengthsOf(4, 3_000)).toEqual([3_000, 3_000, 4_000, 8_000]);
});

test("those that failed side by side share one pause and one resumption", () => {
  const resumed = vi.fn();
  const pause = new QueuePause(resumed);
  for (let n = 0; n < 8; n++) pause.start(0);
  vi.advanceTimersByTime(1_000);
  expect([resumed.mock.calls.length, pause.isOn, pause.isTroubled]).toEqual([1, false, true]);
  vi.runAllTimers();
  expect(resumed).toHaveBeenCalledTimes(1);
});

test("a success ends the trouble, and the next pause is a short one again", () => {
  const pause = new QueuePause(() => {});
  for (let n = 0; n < 5; n++) {
    pause.start(0);
    vi.runAllTimers();
  }
  pause.succeed();
  expect(pause.isTroubled).toBe(false);
  pause.start(0);
  vi.advanceTimersByTime(1_000);
  expect(pause.isOn).toBe(false);
});
