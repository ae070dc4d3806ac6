// The bracket: the two signed times between which a receipt was recorded, and what is remarkable of them.
import type { ProvenTime } from "../core/timestamps/proven-time.ts";
import type { ExaminedTurn } from "./examination.ts";
import { firstValid, provenBy, provenSince, USUAL_DELAY_MS } from "./times.ts";

/** The two times between which a receipt was recorded, each signed by an authority, and what is remarkable of them. */
export interface Bracket {
  readonly after: ProvenTime | null;
  readonly by: ProvenTime | null;
  /** True where the time that the service states lies outside the bracket. */
  readonly isLeft: boolean;
  /** The milliseconds between the two times, where they are unusually many; else null. */
  readonly unusualWidth: number | null;
}

/** Honest clocks differ by seconds, and authorities state whole ones. */
const CLOCK_SLACK_MS = 5_000;

/** `now`, RFC 3339, decides which of several later times counts: see `firstValid`. */
export function bracketOf({ evidence, times, recordedAfter: after }: ExaminedTurn, now: string): Bracket {
  const by = firstValid(times, now) ?? null;
  // A time that is not known compares as neither earlier nor later.
  const from = after === null ? Number.NaN : Date.parse(provenSince(after));
  const until = by === null ? Number.NaN : Date.parse(provenBy(by));
  const stated = Date.parse(String(evidence.receipts?.[0]?.issued_at));
  const width = until - from;
  return {
    after,
    by,
    isLeft: stated < from - CLOCK_SLACK_MS || stated > until + CLOCK_SLACK_MS,
    unusualWidth: width > USUAL_DELAY_MS ? width : null,
  };
}
