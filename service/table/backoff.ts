// Waiting before another try: exponential with full jitter, so that processes that met in one race don't meet in the next.
import { setTimeout as sleep } from "node:timers/promises";

const BASE_MS = 10;
/** For tries of processes that don't know how many others there are. */
const CAP_MS = 400;
/** Waits before the try after attempt 1, 2, 3 and so on. */
export type Backoff = (attempt: number) => Promise<void>;

/** Waits a random time up to 10 ms · 2^attempt, and at most `capMs`. */
export const backoffUpTo =
  (
    capMs: number,
    wait: (ms: number) => Promise<unknown> = sleep,
    random: () => number = () => Math.random(),
  ): Backoff =>
  async (attempt) => {
    await wait(random() * Math.min(capMs, BASE_MS * 2 ** attempt));
  };

/** With the cap of 400 ms. */
export const backoff: Backoff = backoffUpTo(CAP_MS);
