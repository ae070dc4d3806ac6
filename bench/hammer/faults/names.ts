// The faults that a run can have, each with its meaning, how often it comes, and where it is made.

/** Network faults are made by the proxy, between the SDK and what it asks; the others by the driver. */
export type FaultPlace = "proxy" | "process" | "operator" | "insider";

interface FaultDescription {
  readonly place: FaultPlace;
  /** The mean distance in time between two of them. */
  readonly meanGapMs: number;
  readonly meaning: string;
}

export const FAULTS = {
  fails: {
    place: "proxy",
    meanGapMs: 1_000,
    meaning: "a request fails before it takes effect: the connection is cut, or a 500 is answered",
  },
  "lost-answer": {
    place: "proxy",
    meanGapMs: 1_000,
    meaning: "a request takes effect, and its answer is lost",
  },
  late: {
    place: "proxy",
    meanGapMs: 3_000,
    meaning: "a write is held back for 1 to 20 seconds, and delivered then",
  },
  hangs: { place: "proxy", meanGapMs: 4_000, meaning: "a request is never answered, and has no effect" },
  throttled: { place: "proxy", meanGapMs: 1_500, meaning: "AWS says that it was too much" },
  conflict: {
    place: "proxy",
    meanGapMs: 1_500,
    meaning: "a write of table or bucket meets another one, or another send of itself",
  },
  "disk-full": {
    place: "proxy",
    meanGapMs: 20_000,
    meaning: "for 1 to 3 seconds every write of table and bucket answers 500, and changes nothing",
  },
  "s3-other-bytes": {
    place: "proxy",
    meanGapMs: 12_000,
    meaning: "a seal or a tile is there already, with other bytes: the sealer must refuse, and say so",
  },
  "authority-lies": {
    place: "proxy",
    meanGapMs: 3_000,
    meaning: "a timestamp authority stamps another root or nonce, answers garbage, or half an answer",
  },
  "witness-lies": {
    place: "proxy",
    meanGapMs: 4_000,
    meaning: "a witness cosigns another tree, answers garbage, or names a tree that is larger than the log",
  },
  kill: {
    place: "process",
    meanGapMs: 12_000,
    meaning: "a process of the service is killed, and started again",
  },
  freeze: { place: "process", meanGapMs: 15_000, meaning: "a process stands still for 1 to 6 seconds" },
  clock: {
    place: "process",
    meanGapMs: 12_000,
    meaning: "a process's clock jumps by seconds, minutes or hours, and comes back",
  },
  "stale-authorizer": {
    place: "operator",
    meanGapMs: 25_000,
    meaning:
      "a key is revoked or a tenant suspended while processes remember it; a minute later it must be refused",
  },
  erase: { place: "operator", meanGapMs: 5_000, meaning: "an operator erases a conversation that has ended" },
  admin: {
    place: "operator",
    meanGapMs: 4_000,
    meaning: "an operator creates and revokes keys, and raises the number of a tenant's chains",
  },
  "planted-entry": {
    place: "insider",
    meanGapMs: 25_000,
    meaning: "an entry that no chain claims is put into the metachain; the operator sets it aside",
  },
  "lost-marker": {
    place: "insider",
    meanGapMs: 8_000,
    meaning:
      "a chain's markers of news are deleted, or the mark of a published seal, which the operator puts back",
  },
  "false-progress": {
    place: "insider",
    meanGapMs: 6_000,
    meaning:
      "the progress of the sealer, of the log's files or of checkpoints is set ahead, set back or deleted",
  },
  "false-erasure": {
    place: "insider",
    meanGapMs: 8_000,
    meaning: "a receipt gets a note of an erasure that no command wrote; the operator takes it away",
  },
} as const satisfies Record<string, FaultDescription>;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[];

export const isFaultName = (name: string): name is FaultName => Object.hasOwn(FAULTS, name);
