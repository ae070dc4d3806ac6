// Computes what a month's receipts cost: graduated tiers, in whole minor units. Half units are rounded up once, in the sum.
import type { Price } from "../../../contract/plans.ts";
import type { BillAmount } from "./bill.ts";

const THOUSAND = 1_000;

export function amountOf(price: Price, count: number): BillAmount {
  const tiers = price.tiers.map(({ upTo, perThousand }, i) => {
    const start = price.tiers[i - 1]?.upTo ?? 0;
    const receipts = Math.max(0, Math.min(count, upTo ?? count) - start);
    return { receipts, per_thousand: perThousand };
  });
  const thousandths = tiers.reduce((sum, { receipts, per_thousand }) => sum + receipts * per_thousand, 0);
  const total = price.base + Math.floor((thousandths + THOUSAND / 2) / THOUSAND);
  return { currency: price.currency, base: price.base, tiers, total };
}
