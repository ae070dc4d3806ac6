// What a list of checks comes to, in one word.
import type { Check, Verification } from "../../core/verify/check.ts";

/** `holds_so_far`: nothing is wrong, but the published root or a timestamp could not be checked yet, or from here. */
export type Verdict = "holds" | "holds_so_far" | "does_not_hold" | "unreadable";

/** What ties evidence to the world outside it. */
const DECISIVE = new Set(["published_root", "published_seals", "timestamp"]);

export function verdictOf({ valid, checks }: Verification): Verdict {
  if (!valid) return "does_not_hold";
  return checks.some(isDecisiveGap) ? "holds_so_far" : "holds";
}

const isDecisiveGap = (check: Check): boolean => check.ok === null && DECISIVE.has(plainName(check));

/** Without the place that a bundle's checks name first: `timestamp` of `seals/1/timestamp`. */
export const plainName = ({ name }: Check): string => name.slice(name.lastIndexOf("/") + 1);

/** The worst of many: what does not hold comes before what can't be read, since it says more. */
export function worstOf(verdicts: readonly Verdict[]): Verdict {
  const order = ["does_not_hold", "unreadable", "holds_so_far"] as const;
  return order.find((verdict) => verdicts.includes(verdict)) ?? "holds";
}
