// The amounts of a month's receipts are compared with sums made by hand.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Price } from "../../../../contract/plans.ts";
import { amountOf } from "../../../../evidence/core/formats/bill-amount.ts";

const price: Price = {
  currency: "EUR",
  base: 900,
  tiers: [
    { upTo: 1_000, perThousand: 0 },
    { upTo: 3_000, perThousand: 50 },
    { upTo: null, perThousand: 7 },
  ],
};

const flat = (perThousand: number): Price => ({
  currency: "EUR",
  base: 10,
  tiers: [{ upTo: null, perThousand }],
});

describe("a month's receipts fill the tiers one after another", () => {
  test.each([
    [0, [0, 0, 0], 900],
    [999, [999, 0, 0], 900],
    [1_000, [1_000, 0, 0], 900],
    [2_000, [1_000, 1_000, 0], 950],
    [3_000, [1_000, 2_000, 0], 1_000],
    [5_000, [1_000, 2_000, 2_000], 1_014],
  ])("%d receipts", (count, receipts, total) => {
    const [free, middle, last] = receipts;
    expect(amountOf(price, count)).toEqual({
      currency: "EUR",
      base: 900,
      tiers: [
        { receipts: free, per_thousand: 0 },
        { receipts: middle, per_thousand: 50 },
        { receipts: last, per_thousand: 7 },
      ],
      total,
    });
  });

  test("however many they are, every receipt is in one tier", () => {
    fc.assert(
      fc.property(fc.nat(10_000), (count) => {
        const { tiers } = amountOf(price, count);
        expect(tiers.reduce((sum, { receipts }) => sum + receipts, 0)).toBe(count);
      }),
    );
  });
});

describe("the total is in whole minor units, half units rounded up", () => {
  test.each([
    ["less than half a unit", flat(1), 499, 10],
    ["half a unit", flat(1), 500, 11],
    ["one and less than half", flat(1), 1_499, 11],
    ["one and a half", flat(3), 500, 12],
  ])("%s", (_, flatPrice, count, total) => {
    expect(amountOf(flatPrice, count).total).toBe(total);
  });

  test("once, in the sum: three tiers of less than half a unit each make one", () => {
    const tiers = [400, 800, null].map((upTo) => ({ upTo, perThousand: 1 }));
    expect(amountOf({ currency: "EUR", base: 0, tiers }, 1_200).total).toBe(1);
  });
});
