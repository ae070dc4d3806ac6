// The four stations on the way from a receipt to the moment in time at which it provably existed.
import type { Check } from "../core/verify/check.ts";
import type { Examination, ExaminedTurn } from "../reader/examination.ts";
import { isSupplementary } from "../reader/verdict.ts";

export const STATIONS = ["receipt", "chain", "root", "timestamp"] as const;
export type Station = (typeof STATIONS)[number];

const STATION_CHECKS: Readonly<Record<Station, readonly string[]>> = {
  receipt: ["receipt_format", "event_id", "input_hash", "output_hash", "policy", "leaf_hash", "links"],
  chain: ["event_inclusion", "evidence_chain", "chain_history", "tenant"],
  // A bundle's receipts lead to the enclosed roots, and those are compared with the published ones all at once.
  root: ["merkle_root", "published_root", "published_seals"],
  timestamp: ["timestamp"],
};

/** True if a station of a turn holds; null where it could not be checked in full. */
export function stationHolds(
  { checks }: ExaminedTurn,
  { whole }: Examination,
  station: Station,
): boolean | null {
  return summarize([...checks, ...whole].filter(({ name }) => STATION_CHECKS[station].includes(name)));
}

/** False if one check failed, null if none did but one that matters could not be made, and where there is none. */
export function summarize(checks: readonly Check[]): boolean | null {
  if (checks.length === 0) return null;
  if (checks.some(({ ok }) => ok === false)) return false;
  return checks.some(({ ok, name }) => ok === null && !isSupplementary(name)) ? null : true;
}
