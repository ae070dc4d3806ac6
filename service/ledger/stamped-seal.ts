// The seal that receipts commit to, as the ledger knows it; service/seals/stamped-seals.ts finds the newest.
import { DisclosureError } from "../../evidence/core/errors.ts";
import type { RecordedAfter } from "../../evidence/core/formats/receipt.ts";
import { MAX_ISSUED_BEFORE_MS } from "../../evidence/core/timestamps/clock-difference.ts";

/** A published seal with a token, and where its record is in the table: the size that it continues from. */
export interface StampedSeal {
  readonly recordedAfter: RecordedAfter;
  readonly fromSize: number;
}

/** One that was read from its record, with the times of which it speaks, in milliseconds since the epoch. */
export interface DatedSeal extends StampedSeal {
  /** The earliest of its `sealed_at` and the times of its tokens: sealer and authorities agree that it is later now. */
  readonly earliestMs: number;
  /** The latest time of its tokens: readers refuse a receipt that names it and is dated more than a minute before. */
  readonly latestTokenMs: number;
}

/** The newest one that a process knows. */
export interface StampedSealMemory {
  /** Null where none was found yet. */
  readonly newest: DatedSeal | null;
  /** Looks for a newer one where the last look was long ago. Never throws, and does not wait for long. */
  refresh(): Promise<void>;
}

/** The one with the larger index; null where there is none. */
export function newerOf<S extends StampedSeal>(a: S | null, b: S | null): S | null {
  if (a === null || b === null) return a ?? b;
  return b.recordedAfter.seal_index > a.recordedAfter.seal_index ? b : a;
}

/**
 * The seal, where a receipt that is issued at `issuedAt` may name it; else null, for an authority whose clock is ahead
 * holds up nobody. `clock` is our own; both are RFC 3339. Throws `clock_off` where sealer and authorities agree that it
 * is behind.
 */
export function nameableAt(seal: DatedSeal | null, issuedAt: string, clock: string): StampedSeal | null {
  if (seal === null) return null;
  const isAhead = (time: number, of: string) => time - Date.parse(of) > MAX_ISSUED_BEFORE_MS;
  if (isAhead(seal.earliestMs, clock)) {
    const evidence = { seal: new Date(seal.earliestMs).toISOString(), clock };
    throw new DisclosureError(
      "clock_off",
      "our clock is more than a minute behind the newest seal",
      evidence,
    );
  }
  const { recordedAfter, fromSize } = seal;
  return isAhead(seal.latestTokenMs, issuedAt) ? null : { recordedAfter, fromSize };
}
