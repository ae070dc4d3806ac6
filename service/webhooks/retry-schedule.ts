// When a message that failed is sent again, and when it is given up.
import { HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import { MAX_CLOCK_DIFFERENCE_MS } from "../../evidence/core/timestamps/clock-difference.ts";

/** The waits double from one minute on, up to this. */
const MAX_WAIT_MS = 4 * HOUR_MS;
/** A receiver may ask for no longer. */
const MAX_RETRY_AFTER_MS = 12 * HOUR_MS;
/** A message is given up once it has failed for so long. */
const GIVE_UP_AFTER_MS = 24 * HOUR_MS;
/** A wait is longer or shorter by up to this part, so that chains that failed together do not come back together. */
const JITTER = 0.2;
const MAX_DOUBLINGS = 10;

/** RFC 3339, both. */
interface Wait {
  readonly since: string;
  readonly nextAt: string;
}

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

/** A wait that began at a time still to come, or that is longer than any, was not noted by a delivery. */
export const isWaiting = ({ since, nextAt }: Wait, now: Date): boolean => {
  const left = Date.parse(nextAt) - now.getTime();
  return left > 0 && left <= MAX_RETRY_AFTER_MS && isPast(since, now);
};

export const isPast = (instant: string, now: Date): boolean =>
  Date.parse(instant) - now.getTime() <= MAX_CLOCK_DIFFERENCE_MS;

export const isGivenUp = (failingSince: Date, now: Date): boolean =>
  now.getTime() - failingSince.getTime() >= GIVE_UP_AFTER_MS;
