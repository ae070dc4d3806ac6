// The four stations on the way from a receipt to the moment in time that it provably existed.
import type { Check } from "../core/verify/check.ts";
import type { Examination, Turn } from "./examine.ts";
import { isSupplementary } from "../reader/verdict.ts";

export const PARTS = ["receipt", "chain", "root", "stamp"] as const;
export type Part = (typeof PARTS)[number];

const PART_CHECKS: Readonly<Record<Part, readonly string[]>> = {
  receipt: ["receipt_format", "event_id", "input_hash", "output_hash", "leaf_hash", "links"],
  chain: ["event_inclusion", "evidence_chain"],
  // A bundle's receipts lead to the enclosed roots, and those are compared with the published ones all at once.
  root: ["merkle_root", "published_root", "published_seals"],
  stamp: ["timestamp"],
};

/** Whether a part of a turn holds; null where it could not be checked in full. */
export function partHolds({ checks }: Turn, { whole }: Examination, part: Part): boolean | null {
  return summarize([...checks, ...whole].filter(({ name }) => PART_CHECKS[part].includes(name)));
}

/** False if one check failed, null if none did but one could not be made that matters. */
export function summarize(checks: readonly Check[]): boolean | null {
  if (checks.some(({ ok }) => ok === false)) return false;
  return checks.some(({ ok, name }) => ok === null && !isSupplementary(name)) ? null : true;
}
