// How long the service waits between tries, without waiting: the clock and the dice are the test's.
import { afterEach, describe, expect, test, vi } from "vitest";
import { MANY_CALLS, ONE_CALL_AT_A_TIME } from "../../../service/ledger/process-kind.ts";
import { openProcessKind } from "../../../service/opening/connections.ts";
import { backoffUpTo } from "../../../service/table/backoff.ts";

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
  expect(await waitsUpTo(40, 1)).toEqual([20, ...Array(8).fill(40)]);
  expect(await waitsUpTo(400, 0)).toEqual(Array(9).fill(0));
});

describe("the kind of a process", () => {
  afterEach(() => vi.unstubAllEnvs());

  test.each([
    [undefined, ONE_CALL_AT_A_TIME],
    ["false", ONE_CALL_AT_A_TIME],
    ["true", MANY_CALLS],
  ])("with SHARED_PROCESS %s is %j", (shared, kind) => {
    vi.stubEnv("SHARED_PROCESS", shared);
    expect(openProcessKind()).toBe(kind);
  });

  test("is not guessed from a value that is neither true nor false", () => {
    vi.stubEnv("SHARED_PROCESS", "yes");
    expect(openProcessKind).toThrowError(/SHARED_PROCESS: must be true or false/);
  });
});
