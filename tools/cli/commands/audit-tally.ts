// The findings of an audit so far: counts, and a bounded list of faults.
import * as z from "zod";
import { SECOND_MS } from "../../../contract/time.ts";
import type { Seal } from "../../../evidence/core/formats/metachain.ts";
import type { Check } from "../../../evidence/core/verify/check.ts";

/** A log that is wrong throughout would fill the memory with faults; all are counted. */
const MAX_LISTED_FAULTS = 100;

const count = z.int().min(0);

/** `index` is null for a fault of the head or of the wording policy. */
const faultSchema = z.object({ index: count.nullable(), check: z.string(), detail: z.string() });

/** The form in which an interrupted audit keeps it in its file. */
export const tallySchema = z.object({
  roots: count,
  gaps: count,
  /** Consistency paths that hold. */
  paths: count,
  /** Timestamp tokens that hold, additional ones included. */
  tokens: count,
  /** Roots by the number of authorities behind their tokens: under `"2"` those that two authorities confirm. */
  authorities: z.record(z.string().regex(/^\d+$/), count),
  /** Roots whose tokens could not be checked, or that have none yet. */
  unchecked: count,
  /** Those of them with a token that leads to none of the reader's certificates. */
  unanchored: count,
  /** Entries that lead to the roots over them, each leaf and tile recomputed. */
  entries: count,
  /** Listed layers of the wording policy that are published under their hashes, at the last audit. */
  layers: count,
  /** Receipts under the roots, as the service states; nothing public proves the number. */
  receipts: count,
  first_sealed_at: z.string().nullable(),
  last_sealed_at: z.string().nullable(),
  longest_pause_seconds: z.number().min(0),
  longest_pause_after: count.nullable(),
  fault_count: count,
  faults: z.array(faultSchema),
});

export type AuditFault = z.infer<typeof faultSchema>;
export type Tally = z.infer<typeof tallySchema>;

export const emptyTally = (): Tally => ({
  roots: 0,
  gaps: 0,
  paths: 0,
  tokens: 0,
  authorities: {},
  unchecked: 0,
  unanchored: 0,
  entries: 0,
  layers: 0,
  receipts: 0,
  first_sealed_at: null,
  last_sealed_at: null,
  longest_pause_seconds: 0,
  longest_pause_after: null,
  fault_count: 0,
  faults: [],
});

export function addFault(tally: Tally, fault: AuditFault): void {
  tally.fault_count++;
  if (tally.faults.length < MAX_LISTED_FAULTS) tally.faults.push(fault);
}

/** Counts a fault unless it is listed already. */
export function addFaultOnce(tally: Tally, fault: AuditFault): void {
  const isListed = tally.faults.some(
    ({ index, check, detail }) => index === fault.index && check === fault.check && detail === fault.detail,
  );
  if (!isListed) addFault(tally, fault);
}

/** Counts a root that was read, with its checks and the number of authorities that confirm it. */
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
  if (checks.some(({ reason }) => reason === "other_authority")) tally.unanchored++;
  for (const { name, ok, detail } of checks) {
    if (ok === false) addFault(tally, { index: seal.index, check: name, detail });
  }
  addTime(tally, seal);
}

function addTime(tally: Tally, { index, sealed_at }: Seal): void {
  const pause = tally.last_sealed_at === null ? 0 : Date.parse(sealed_at) - Date.parse(tally.last_sealed_at);
  if (pause / SECOND_MS > tally.longest_pause_seconds) {
    tally.longest_pause_seconds = pause / SECOND_MS;
    tally.longest_pause_after = index - 1;
  }
  tally.first_sealed_at ??= sealed_at;
  tally.last_sealed_at = sealed_at;
}
