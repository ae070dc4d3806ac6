// Verification as a list of named checks, each with its outcome and its reason.
import { DisclosureError, isDisclosureError } from "../errors.ts";
import type { ListedSeal } from "../formats/metachain.ts";
import { tokenOpenReason } from "../timestamps/x509/token-check.ts";
import type { CheckName } from "./check-names.ts";
import type { OpenReason } from "./open-reason.ts";

/** `ok` is null where a check could not be made with what was given; `detail` says what was found, or what lacks. */
export interface Check<Name extends string = CheckName> {
  readonly name: Name;
  readonly ok: boolean | null;
  readonly detail: string;
  /** Only where `ok` is null. */
  readonly reason?: OpenReason;
  /** Where the history that the reader gave is too old: the entry of the log at which it ends. */
  readonly endsAt?: number;
}

/** A check with the part that it is about: `receipts/1`, `seals/0`, or nothing for all of it. */
export interface PlacedCheck<Name extends string = CheckName> extends Check<Name> {
  readonly place: string;
}

/** `valid`: no check failed. Whether all could be made is for the reader to see in `checks`. */
export interface Verification<C extends Check<string> = Check> {
  readonly valid: boolean;
  readonly checks: readonly C[];
}

/** The result of a step; a step that finds something wrong throws instead, most by `fail`. */
export type Finding =
  | { readonly holds: string }
  | { readonly unchecked: string; readonly reason: OpenReason; readonly endsAt?: number };
export type Step<T, Name extends string = CheckName> = readonly [
  name: Name,
  run: (subject: T) => Finding | Promise<Finding>,
];

export const holds = (detail: string): Finding => ({ holds: detail });
export const unchecked = (reason: OpenReason, detail: string): Finding => ({ unchecked: detail, reason });

/** What a comparison comes to if the list has no seal `index`. Throws `proof_invalid` if nothing is published there. */
export function withoutSeal(listed: ListedSeal | undefined, index: number): Finding {
  if (listed === null) fail(`no root is published under ${index}`);
  if (listed === undefined) return unchecked("not_given", `not compared with the published root ${index}`);
  return unchecked("too_new", `the list of published roots at hand ends before ${index}`);
}

/** The evidence contradicts itself. Throws `proof_invalid`. */
export function fail(detail: string): never {
  throw new DisclosureError("proof_invalid", detail);
}

/** Runs every step, whatever the others found: a reader wants to know all that is wrong. */
export async function runSteps<T, Name extends string = CheckName>(
  steps: readonly Step<T, Name>[],
  subject: T,
): Promise<Verification<Check<Name>>> {
  const checks: Check<Name>[] = [];
  for (const [name, run] of steps) checks.push({ name, ...(await runStep(run, subject)) });
  return { valid: checks.every(({ ok }) => ok !== false), checks };
}

/** Says of each check which part it is about. */
export const placed = <Name extends string>(
  place: string,
  { valid, checks }: Verification<Check<Name>>,
): Verification<PlacedCheck<Name>> => ({ valid, checks: checks.map((check) => ({ ...check, place })) });

/** The name as docs/receipt-format.md writes it: `seals/1/timestamp` in a bundle, `timestamp` elsewhere. */
export const fullName = ({ place, name }: PlacedCheck<string>): string =>
  place === "" ? name : `${place}/${name}`;

async function runStep<T>(run: Step<T>[1], subject: T): Promise<Omit<Check, "name">> {
  try {
    return outcomeOf(await run(subject));
  } catch (error) {
    // A step that fails in a way that nobody foresaw has not shown that anything holds.
    if (!isDisclosureError(error)) return { ok: false, detail: "this check could not be carried out" };
    const reason = tokenOpenReason(error);
    if (reason !== null) return { ok: null, detail: error.message, reason };
    return { ok: false, detail: error.message };
  }
}

const outcomeOf = (finding: Finding): Omit<Check, "name"> =>
  "holds" in finding
    ? { ok: true, detail: finding.holds }
    : {
        ok: null,
        detail: finding.unchecked,
        reason: finding.reason,
        ...(finding.endsAt !== undefined && { endsAt: finding.endsAt }),
      };
