// Which points of a bill stay the operator's word, by what the bill says and by the checks that were made.
import { expect, test } from "vitest";
import type { Bill } from "../../../evidence/core/formats/bill.ts";
import type { BillCheck } from "../../../evidence/core/verify/verify-bill.ts";
import { STATED_POINTS, type StatedPoint, statedPoints } from "../../../evidence/reader/bill-stated.ts";
import { finalBill } from "../../support/bill-inputs.ts";
import { lineAt } from "../../support/bill-lies.ts";

const [closed, open] = [lineAt(finalBill, 0), lineAt(finalBill, 1)];
const CHECKS = [
  "as_of",
  "published_heads",
  "public_heads",
  "chain_history",
  "other_chains",
  "all_chains",
  "tenant",
] as const;
type Name = (typeof CHECKS)[number];
type Outcomes = Partial<Record<Name, boolean | null>>;

/** Every check holds but for those that are named, with their outcomes; one that is left out was not made. */
function checksWith(outcomes: Outcomes, without: readonly Name[] = []): BillCheck[] {
  const made = CHECKS.filter((name) => !without.includes(name));
  return made.map((name) => ({
    name,
    place: "",
    ok: outcomes[name] ?? (name in outcomes ? null : true),
    detail: "",
  }));
}

/** The bill of which as little as possible is stated: of a month without receipts, at no price. */
const bare: Bill = {
  ...finalBill,
  plan: { name: "free", price: null },
  amount: null,
  status: "open",
  lines: [],
  count: 0,
};

test("the names and the time of a bill are always stated", () => {
  expect(statedPoints(bare, checksWith({}))).toEqual(["names", "made_at"]);
});

test.each<[StatedPoint, change: Partial<Bill>, not: Partial<Bill>]>([
  ["price", { plan: finalBill.plan }, {}],
  ["receipts", { count: 1 }, { count: 0 }],
  ["unsealed", { status: "final", lines: [open] }, { status: "final", lines: [closed] }],
  ["unsealed", { status: "final", lines: [closed, open] }, { status: "open", lines: [open] }],
  ["before", { lines: [{ ...closed, before: null }] }, { lines: [closed] }],
  [
    "before",
    { lines: [closed, { ...open, before: null }] },
    { lines: [{ ...closed, from: 0, before: null }] },
  ],
])("%s is stated where the bill says something of it", (point, change, not) => {
  expect(statedPoints({ ...bare, ...change }, checksWith({}))).toContain(point);
  expect(statedPoints({ ...bare, ...not }, checksWith({}))).not.toContain(point);
});

test.each<[StatedPoint, Name, Partial<Bill>]>([
  ["published", "as_of", {}],
  ["published", "published_heads", { lines: [closed] }],
  ["newest", "public_heads", { lines: [open] }],
  ["sizes", "chain_history", { lines: [closed] }],
  ["sizes", "public_heads", { lines: [closed] }],
  ["chains", "other_chains", {}],
  ["chains", "all_chains", {}],
  ["chains", "tenant", {}],
])("%s is stated unless the check %s was made and holds", (point, name, change) => {
  const bill = { ...bare, ...change };
  expect(statedPoints(bill, checksWith({}))).not.toContain(point);
  for (const checks of [
    checksWith({ [name]: null }),
    checksWith({ [name]: false }),
    checksWith({}, [name]),
    [...checksWith({}), ...checksWith({ [name]: null })],
  ])
    expect(statedPoints(bill, checks)).toContain(point);
});

test.each<[StatedPoint, Name, Partial<Bill>]>([
  ["published", "published_heads", {}],
  ["newest", "public_heads", { lines: [closed] }],
  ["sizes", "chain_history", {}],
])("%s is not stated without %s where no line asks for it", (point, name, change) => {
  expect(statedPoints({ ...bare, ...change }, checksWith({}, [name]))).not.toContain(point);
});

test("the points come in one order", () => {
  const all = { ...finalBill, lines: [{ ...closed, before: null }, open] };
  expect(statedPoints(all, [])).toEqual([...STATED_POINTS]);
});
