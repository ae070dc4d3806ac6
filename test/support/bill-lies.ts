// Bills that an operator could forge with all that it has: every path, sum and amount follows from the lie. Each says which
// checks must fail for a reader with the public log and the tenant's history.
import assert from "node:assert/strict";
import type { Bill, BillLine } from "../../evidence/core/formats/bill.ts";
import { amountOf } from "../../evidence/core/formats/bill-amount.ts";
import { billAt, finalBill, openBill, world } from "./bill-inputs.ts";
import { FINAL_AT, MONTH, newWorld, PLAN, type Planted, type World } from "./bill-world.ts";

export interface BillLie {
  readonly name: string;
  /** Of the bill, in a sentence that begins with it. */
  readonly reason: string;
  readonly bill: Bill;
  readonly failing: readonly string[];
}

/** The bill with other lines, and the sums that follow from them. */
export function withLines(lines: readonly BillLine[], bill: Bill = finalBill): Bill {
  const count = lines.reduce((sum, line) => sum + line.count, 0);
  const { price } = bill.plan;
  return { ...bill, lines: [...lines], count, amount: price === null ? null : amountOf(price, count) };
}

export const lineAt = (bill: Bill, index: number): BillLine =>
  bill.lines[index] ?? assert.fail("no such line");

/** The final bill as it would be if the first chain's receipts had these times: the receipts in it are the real ones. */
function withTimes(moved: Readonly<Record<number, string>>): Bill {
  const [first = assert.fail("no chain"), ...rest] = world.chains;
  const cores = first.chain.cores.map((core, i) => ({ ...core, issued_at: moved[i] ?? core.issued_at }));
  const told = billAt(FINAL_AT, { chains: [{ ...first, chain: { ...first.chain, cores } }, ...rest] });
  const own = (billed: BillLine["before"]): BillLine["before"] =>
    billed && { ...billed, receipt: first.chain.cores[billed.receipt.sequence] ?? billed.receipt };
  const { before, first: begin, last, after, ...line } = lineAt(told, 0);
  const real = { before: own(before), first: own(begin), last: own(last), after: own(after) };
  return withLines([{ ...line, ...real }, ...told.lines.slice(1)]);
}

/** The final bill with the first chain as if its newest heads were not there. */
export function withoutHeads(count: number): Bill {
  const [chain = assert.fail("no chain"), ...rest] = world.chains;
  return billAt(FINAL_AT, { chains: [{ ...chain, heads: chain.heads.slice(0, count) }, ...rest] });
}

const [first, second] = [lineAt(finalBill, 0), lineAt(finalBill, 1)];
const other = lineAt(billAt(FINAL_AT, { chains: world.others }), 0);

export const BILL_LIES: readonly BillLie[] = [
  {
    name: "one-too-many",
    reason: "counts a receipt of the month after",
    bill: withTimes({ 7: "2026-10-31T23:59:59.000Z" }),
    failing: ["lines/0/month_ends"],
  },
  {
    name: "one-too-many-before",
    reason: "counts a receipt of the month before",
    bill: withTimes({ 1: "2026-10-01T00:00:00.000Z" }),
    failing: ["lines/0/month_ends"],
  },
  {
    name: "one-too-few",
    reason: "leaves out the month's last receipt",
    bill: withTimes({ 6: "2026-11-01T00:00:00.000Z" }),
    failing: ["lines/0/month_ends"],
  },
  {
    name: "one-too-few-before",
    reason: "leaves out the month's first receipt",
    bill: withTimes({ 2: "2026-09-30T23:59:59.000Z" }),
    failing: ["lines/0/month_ends"],
  },
  {
    name: "older-head",
    reason: "closes with an older head of the chain, which hides a receipt",
    bill: withoutHeads(4),
    failing: ["lines/0/chain_history"],
  },
  {
    name: "no-opening",
    reason: "does not show the head before the month",
    bill: withLines([{ ...first, opening: null, consistency_path: null }, second]),
    failing: ["lines/0/chain_history"],
  },
  {
    name: "another-month",
    reason: "is another month's",
    bill: { ...billAt(FINAL_AT, { month: "2026-09" }), month: MONTH },
    failing: ["lines/0/month_ends", "lines/1/month_ends"],
  },
  {
    name: "chain-twice",
    reason: "counts a chain twice",
    bill: withLines([first, first, second]),
    failing: ["lines"],
  },
  {
    name: "chain-twice-renumbered",
    reason: "counts a chain twice, under two numbers",
    bill: withLines([first, { ...first, shard: 1 }]),
    failing: ["lines", "all_chains", "tenant", "lines/1/billed_receipts"],
  },
  {
    name: "chain-left-out",
    reason: "leaves out a chain",
    bill: withLines([first]),
    failing: ["all_chains"],
  },
  {
    name: "another-tenant",
    reason: "counts another tenant's chain",
    bill: withLines([other, second]),
    failing: ["all_chains", "tenant"],
  },
  {
    name: "out-of-order",
    reason: "has its chains in another order",
    bill: withLines([second, first]),
    failing: ["lines"],
  },
  {
    name: "wrong-sum",
    reason: "adds up to one receipt more",
    bill: { ...finalBill, count: 9, amount: PLAN.price && amountOf(PLAN.price, 9) },
    failing: ["lines"],
  },
  {
    name: "a-cent-more",
    reason: "costs a cent more than its prices say",
    bill: { ...finalBill, amount: finalBill.amount && { ...finalBill.amount, total: 911 } },
    failing: ["amount"],
  },
  {
    name: "no-price",
    reason: "has an amount without a price",
    bill: { ...finalBill, plan: { name: "free", price: null } },
    failing: ["amount"],
  },
  {
    name: "final-too-soon",
    reason: "is final before its month was closed",
    bill: { ...openBill, status: "final" },
    failing: ["status"],
  },
  {
    name: "one-page",
    reason: "is one page of a bill",
    bill: { ...finalBill, next_shard: 2 },
    failing: ["lines"],
  },
  {
    name: "stale",
    reason: "is as of a seal that was not the newest",
    bill: billAt(FINAL_AT, { seals: world.seals.slice(0, 5) }),
    failing: ["as_of"],
  },
  {
    name: "before-its-seal",
    reason: "was made before the seal that it is as of",
    bill: { ...openBill, made_at: "2026-10-20T11:54:59.999Z" },
    failing: ["as_of"],
  },
];

/** A bill of a world in whose log the operator planted a head of the first chain, before the one of this number. */
export interface PlantedLie extends BillLie {
  readonly world: World;
}

function planted(planted: Planted, lie: Pick<BillLie, "name" | "reason" | "failing">): PlantedLie {
  const forged = newWorld(planted);
  const [, ...rest] = forged.chains;
  const chain = forged.planted ?? assert.fail("nothing is planted");
  return { ...lie, world: forged, bill: billAt(FINAL_AT, { chains: [chain, ...rest] }, forged) };
}

export const PLANTED_LIES: readonly PlantedLie[] = [
  planted(
    { seal: 1, head_index: 4 },
    {
      name: "number-ahead",
      reason: "closes with a planted entry that has the number of a later head",
      failing: ["lines/0/chain_history"],
    },
  ),
  planted(
    { seal: 0, head_index: 1 },
    {
      name: "next-number",
      reason: "closes with a planted entry that has the number of the next head",
      failing: ["lines/0/chain_history"],
    },
  ),
];
