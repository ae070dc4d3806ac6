// How long the service waits between tries, without waiting: the clock and the dice are the test's.
import { afterEach, describe, expect, test, vi } from "vitest";
import { openBackoff } from "../../../service/connections.ts";
import { backoffUpTo, SHARED_PROCESS_CAP_MS } from "../../../service/table/backoff.ts";

const sleeping = vi.hoisted(() => ({ waits: [] as number[] }));
vi.mock("node:timers/promises", () => ({
  setTimeout: async (ms: number) => void sleeping.waits.push(ms),
}));

/** The waits after attempts 1 to 9, where chance gives `dice` of each. */
async function waitsUpTo(capMs: number, dice: number): Promise<number[]> {
  const waits: number[] = [];
  const wait = backoffUpTo(
    capMs,
    async (ms) => void waits.push(ms),
    () => dice,
  );
  for (let attempt = 1; attempt <= 9; attempt++) await wait(attempt);
  return waits;
}

test("the longest wait doubles up to the cap, and chance takes any part of it", async () => {
  expect(await waitsUpTo(400, 1)).toEqual([20, 40, 80, 160, 320, 400, 400, 400, 400]);
  expect(await waitsUpTo(400, 0.5)).toEqual([10, 20, 40, 80, 160, 200, 200, 200, 200]);
  expect(await waitsUpTo(SHARED_PROCESS_CAP_MS, 1)).toEqual([20, ...Array(8).fill(40)]);
  expect(await waitsUpTo(400, 0)).toEqual(Array(9).fill(0));
});

describe("an appender's wait", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    sleeping.waits = [];
  });

  test.each([
    [undefined, 400],
    ["false", 400],
    ["true", 40],
  ])("of a process with SHARED_PROCESS %s has a cap of %i ms", async (shared, capMs) => {
    vi.stubEnv("SHARED_PROCESS", shared);
    vi.spyOn(Math, "random").mockReturnValue(1);
    await openBackoff()(9);
    expect(sleeping.waits).toEqual([capMs]);
  });

  test("is not guessed from a value that is neither true nor false", () => {
    vi.stubEnv("SHARED_PROCESS", "yes");
    expect(openBackoff).toThrowError(/SHARED_PROCESS: must be true or false/);
  });
});
