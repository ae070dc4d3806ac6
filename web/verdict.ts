// The verdict on an examination: one word, and what it rests on.
import type { Check } from "../core/verify/check.ts";
import type { Examination } from "./examine.ts";

export type Outcome = "holds" | "partly" | "broken";

/** A check with the part it is about: `receipts/1`, `seals/0`, or nothing for all of it. */
export interface PlacedCheck extends Check {
  readonly place: string;
}

export interface Verdict {
  readonly outcome: Outcome;
  readonly failed: readonly PlacedCheck[];
  /** What could still be checked, and would make the verdict firmer. */
  readonly open: readonly PlacedCheck[];
  readonly made: number;
}

/**
 * These need documents that one receipt can't hold: the request, the receipt before it, the newest receipt of its
 * chain, the root before. Left unmade, they take nothing from what the others show.
 */
const SUPPLEMENTARY: ReadonlySet<string> = new Set([
  "input_hash",
  "links",
  "evidence_chain",
  "interaction",
  "previous_seal",
]);

export const isSupplementary = (name: string): boolean => SUPPLEMENTARY.has(name);

export function judge(examination: Examination): Verdict {
  const checks = placedChecks(examination);
  const failed = checks.filter(({ ok }) => ok === false);
  const open = checks.filter(({ ok, name }) => ok === null && !isSupplementary(name));
  const outcome = failed.length > 0 ? "broken" : open.length > 0 ? "partly" : "holds";
  return { outcome, failed, open, made: checks.filter(({ ok }) => ok !== null).length };
}

export function placedChecks({ turns, seals, whole }: Examination): PlacedCheck[] {
  const place = (name: string) => (check: Check) => ({ ...check, place: name });
  return [
    ...turns.flatMap(({ checks }, i) => checks.map(place(`receipts/${i}`))),
    ...seals.flatMap(({ checks }, i) => checks.map(place(`seals/${i}`))),
    ...whole.map(place("")),
  ];
}
