// The points of a bill that no proof reaches with what the reader has: they stay the operator's word.
import type { Bill } from "../core/formats/bill.ts";
import type { BillCheckName } from "../core/verify/check-names.ts";
import type { BillCheck } from "../core/verify/verify-bill.ts";

/** In the order in which a reader is told of them. */
export const STATED_POINTS = [
  "price",
  "names",
  "receipts",
  "made_at",
  "unsealed",
  "before",
  "published",
  "newest",
  "sizes",
  "chains",
] as const;
export type StatedPoint = (typeof STATED_POINTS)[number];

export function statedPoints(bill: Bill, checks: readonly BillCheck[]): StatedPoint[] {
  const isProven = (name: BillCheckName): boolean => {
    const made = checks.filter((check) => check.name === name);
    return made.length > 0 && made.every(({ ok }) => ok === true);
  };
  const hasLines = bill.lines.length > 0;
  const isOpenEnded = bill.lines.some(({ after }) => after === null);
  const applies: Readonly<Record<StatedPoint, boolean>> = {
    price: bill.plan.price !== null,
    names: true,
    receipts: bill.count > 0,
    made_at: true,
    unsealed: bill.status === "final" && isOpenEnded,
    before: bill.lines.some(({ from, before }) => from > 0 && before === null),
    published: !isProven("as_of") || (hasLines && !isProven("published_heads")),
    newest: isOpenEnded && !isProven("public_heads"),
    // Without the log, a history shows no more than that the bill is consistent with it.
    sizes: hasLines && !(isProven("chain_history") && isProven("public_heads")),
    chains: !isProven("other_chains") || !isProven("all_chains") || !isProven("tenant"),
  };
  return STATED_POINTS.filter((point) => applies[point]);
}
