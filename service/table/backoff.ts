// Waiting before another try: exponential with full jitter, so that processes that met in one race don't meet in the next.
import { setTimeout as sleep } from "node:timers/promises";

const BASE_MS = 10;
const CAP_MS = 400;

/** Waits a random time up to 10 ms · 2^attempt, and at most 400 ms. */
export async function backoff(attempt: number): Promise<void> {
  await sleep(Math.random() * Math.min(CAP_MS, BASE_MS * 2 ** attempt));
}
