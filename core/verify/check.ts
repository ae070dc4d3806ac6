// Verification as a list of named checks, each with its outcome and its reason.
import { DisclosureError, isDisclosureError } from "../errors.ts";

/** An input of the reader's that may belong to other evidence. */
export type Companion = "request" | "trust_anchor" | "log";

/** `ok` is null where a check could not be made with what was given; `detail` says what was found, or what lacks. */
export interface Check {
  readonly name: string;
  readonly ok: boolean | null;
  readonly detail: string;
  /** Only where `ok` is null: the check could not be made because this was given and belongs to other evidence. */
  readonly companion?: Companion;
}

/** `valid`: no check failed. Whether all could be made is for the reader to see in `checks`. */
export interface Verification {
  readonly valid: boolean;
  readonly checks: readonly Check[];
}

/** The result of a step; a step that finds something wrong throws instead, most by `fail`. */
export type Finding =
  | { readonly holds: string }
  | { readonly unchecked: string }
  | { readonly mismatched: string; readonly companion: Companion };
export type Step<T> = readonly [name: string, run: (subject: T) => Finding | Promise<Finding>];

export const holds = (detail: string): Finding => ({ holds: detail });
export const unchecked = (detail: string): Finding => ({ unchecked: detail });

/** The reader's input belongs to other evidence. It says nothing about the evidence, so nothing failed. */
export const mismatched = (companion: Companion, detail: string): Finding => ({
  mismatched: detail,
  companion,
});

/** The evidence contradicts itself. Throws `proof_invalid`. */
export function fail(detail: string): never {
  throw new DisclosureError("proof_invalid", detail);
}

/** Runs every step, whatever the others found: a reader wants to know all that is wrong. */
export async function runSteps<T>(steps: readonly Step<T>[], subject: T): Promise<Verification> {
  const checks: Check[] = [];
  for (const [name, run] of steps) checks.push(await runStep(name, run, subject));
  return { valid: checks.every(({ ok }) => ok !== false), checks };
}

async function runStep<T>(name: string, run: Step<T>[1], subject: T): Promise<Check> {
  try {
    return { name, ...outcomeOf(await run(subject)) };
  } catch (error) {
    // A step that fails in a way that nobody foresaw has not shown that anything holds.
    if (!isDisclosureError(error)) return { name, ok: false, detail: "this check could not be carried out" };
    return { name, ok: false, detail: error.message };
  }
}

function outcomeOf(finding: Finding): Omit<Check, "name"> {
  if ("holds" in finding) return { ok: true, detail: finding.holds };
  if ("unchecked" in finding) return { ok: null, detail: finding.unchecked };
  return { ok: null, detail: finding.mismatched, companion: finding.companion };
}
