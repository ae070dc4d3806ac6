// How an appender reckons with other processes on its chain, by the kind of process that it is in.

export interface ProcessKind {
  /** The longest wait after a lost race, in milliseconds. */
  readonly maxBackoffMs: number;
  /** For this long our last receipt counts as the chain's newest without a look at the table, in milliseconds. */
  readonly headLifeMs: number;
}

/**
 * A process that serves one call at a time is one of an unknown number: between two of its calls others have written, and
 * by what it remembers it would mostly lose the next race. A read costs less than a transaction that fails.
 */
export const ONE_CALL_AT_A_TIME: ProcessKind = { maxBackoffMs: 400, headLifeMs: 0 };

/** A process that has many calls is one of a few, and its batches follow each other at once: a wait holds up all of them. */
export const MANY_CALLS: ProcessKind = { maxBackoffMs: 40, headLifeMs: 1_000 };
