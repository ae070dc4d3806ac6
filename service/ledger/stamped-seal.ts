// The seal that receipts commit to, as the ledger knows it; service/seals/stamped-seals.ts finds the newest.
import type { RecordedAfter } from "../../core/formats/receipt.ts";

/** A published seal with a token, and where its record is in the table: the size that it continues from. */
export interface StampedSeal {
  readonly recordedAfter: RecordedAfter;
  readonly fromSize: number;
}

/** The newest one that a process knows. */
export interface StampedSealMemory {
  /** Null where none was found yet. */
  readonly newest: StampedSeal | null;
  /** Looks for a newer one where the last look was long ago. Never throws, and does not wait for long. */
  refresh(): Promise<void>;
}

/** The one with the larger index; null where there is none. */
export function newerOf(a: StampedSeal | null, b: StampedSeal | null): StampedSeal | null {
  if (a === null || b === null) return a ?? b;
  return b.recordedAfter.seal_index > a.recordedAfter.seal_index ? b : a;
}
