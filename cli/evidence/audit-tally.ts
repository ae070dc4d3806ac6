// What an audit has found so far: counts, and a bounded list of faults.
import type { Check } from "../../core/check.ts";
import type { Seal } from "../../core/metachain.ts";

/** A log that is wrong throughout would fill the memory with faults; all are counted. */
const MAX_LISTED_FAULTS = 100;

/** `index` is null for what is wrong with the head. */
export interface Fault {
  readonly index: number | null;
  readonly check: string;
  readonly detail: string;
}

export interface Tally {
  roots: number;
  gaps: number;
  /** Consistency paths that hold. */
  paths: number;
  /** Timestamp tokens that hold, the additional ones among them. */
  tokens: number;
  /** Roots by how many authorities their tokens are of: `"2"` for those that two vouch for. */
  readonly authorities: Record<string, number>;
  /** Roots whose tokens could not be checked, or that have none yet. */
  unchecked: number;
  /** Receipts under the roots, as the service states it: nothing public proves it. */
  receipts: number;
  first_sealed_at: string | null;
  last_sealed_at: string | null;
  longest_pause_seconds: number;
  longest_pause_after: number | null;
  fault_count: number;
  faults: Fault[];
}

export const emptyTally = (): Tally => ({
  roots: 0,
  gaps: 0,
  paths: 0,
  tokens: 0,
  authorities: {},
  unchecked: 0,
  receipts: 0,
  first_sealed_at: null,
  last_sealed_at: null,
  longest_pause_seconds: 0,
  longest_pause_after: null,
  fault_count: 0,
  faults: [],
});

export function addFault(tally: Tally, fault: Fault): void {
  tally.fault_count++;
  if (tally.faults.length < MAX_LISTED_FAULTS) tally.faults.push(fault);
}

/** Counts a root that was read, with its checks and the number of authorities that vouch for it. */
export function addRoot(tally: Tally, seal: Seal, checks: readonly Check[], authorities: number): void {
  const outcome = (name: string): boolean | null | undefined =>
    checks.find((check) => check.name === name)?.ok;
  tally.roots++;
  tally.receipts += seal.receipt_count;
  tally.authorities[authorities] = (tally.authorities[authorities] ?? 0) + 1;
  if (seal.index > 0 && outcome("consistency") === true) tally.paths++;
  if (outcome("timestamp") === true) tally.tokens++;
  if (outcome("additional_timestamps") === true) tally.tokens += seal.additional_timestamps.length;
  if (outcome("timestamp") === null || outcome("additional_timestamps") === null) tally.unchecked++;
  for (const { name, ok, detail } of checks) {
    if (ok === false) addFault(tally, { index: seal.index, check: name, detail });
  }
  addTime(tally, seal);
}

function addTime(tally: Tally, { index, sealed_at }: Seal): void {
  const pause = tally.last_sealed_at === null ? 0 : Date.parse(sealed_at) - Date.parse(tally.last_sealed_at);
  if (pause / 1_000 > tally.longest_pause_seconds) {
    tally.longest_pause_seconds = pause / 1_000;
    tally.longest_pause_after = index - 1;
  }
  tally.first_sealed_at ??= sealed_at;
  tally.last_sealed_at = sealed_at;
}
