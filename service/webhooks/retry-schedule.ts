// When a message that failed is sent again, and when it is given up.
import { HOUR_MS, MINUTE_MS } from "../../contract/time.ts";

/** The waits double from one minute on, up to this. */
const MAX_WAIT_MS = 4 * HOUR_MS;
/** A receiver may ask for no longer. */
const MAX_RETRY_AFTER_MS = 12 * HOUR_MS;
/** A message is given up once it has failed for so long. */
const GIVE_UP_AFTER_MS = 24 * HOUR_MS;
/** A wait is longer or shorter by up to this part, so that chains that failed together do not come back together. */
const JITTER = 0.2;
const MAX_DOUBLINGS = 10;

/** Milliseconds until the next try, after so many that failed. */
export function waitAfter(
  attempts: number,
  retryAfterMs: number | null,
  random: () => number = () => Math.random(),
): number {
  const doubled = MINUTE_MS * 2 ** Math.min(MAX_DOUBLINGS, attempts - 1);
  const wait = Math.min(MAX_WAIT_MS, doubled) * (1 - JITTER + 2 * JITTER * random());
  return Math.max(wait, Math.min(MAX_RETRY_AFTER_MS, retryAfterMs ?? 0));
}

export const isGivenUp = (failingSince: Date, now: Date): boolean =>
  now.getTime() - failingSince.getTime() >= GIVE_UP_AFTER_MS;
