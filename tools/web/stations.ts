// The four stations on the way from a receipt to the moment in time at which it provably existed.
import type { Check } from "../../evidence/core/verify/check.ts";
import type { CheckName } from "../../evidence/core/verify/check-names.ts";
import type { Examination, ExaminedTurn } from "../../evidence/reader/examination.ts";
import { isSupplementary } from "../../evidence/reader/verdict.ts";

export const STATIONS = ["receipt", "chain", "root", "timestamp"] as const;
export type Station = (typeof STATIONS)[number];

/** The station at which a check is drawn; null for those that a picture of one receipt does not show. */
const STATION_OF: Readonly<Record<CheckName, Station | null>> = {
  receipt_format: "receipt",
  event_id: "receipt",
  input_hash: "receipt",
  output_hash: "receipt",
  policy: "receipt",
  leaf_hash: "receipt",
  links: "receipt",
  event_inclusion: "chain",
  evidence_chain: "chain",
  chain_history: "chain",
  public_heads: "chain",
  other_chains: "chain",
  tenant: "chain",
  merkle_root: "root",
  published_root: "root",
  // A bundle's receipts lead to the enclosed roots, and those are compared with the published ones all at once.
  published_seals: "root",
  checkpoint: "root",
  cose_receipt: "root",
  timestamp: "timestamp",
  recorded_after: "timestamp",
  chain_links: null,
  turn_links: null,
  whole: null,
  chain_consistency: null,
  interaction: null,
  previous_seal: null,
  consistency: null,
  additional_timestamps: null,
  one_history: null,
};

/** True if a station of a turn holds; null where it could not be checked in full. */
export function stationHolds(
  { checks }: ExaminedTurn,
  { whole }: Examination,
  station: Station,
): boolean | null {
  return summarize([...checks, ...whole].filter(({ name }) => STATION_OF[name] === station));
}

/** False if one check failed, null if none did but one that matters could not be made, and where there is none. */
export function summarize(checks: readonly Check[]): boolean | null {
  if (checks.length === 0) return null;
  if (checks.some(({ ok }) => ok === false)) return false;
  return checks.some(({ ok, name }) => ok === null && !isSupplementary(name)) ? null : true;
}
