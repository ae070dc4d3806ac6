// The prices of plans as settings of the stack: which are taken, which are refused by name, and which functions get them.
import { describe, expect, test } from "vitest";
import { parseConfig } from "../../lib/settings/config.ts";
import { Synthesized } from "./synthesis.ts";

const GOLD = { rate: 1, burst: 1, monthlyQuota: 1, chains: 1 };
const PRICE = {
  currency: "EUR",
  base: 4_900,
  tiers: [
    { upTo: 10_000, perThousand: 0 },
    { upTo: null, perThousand: 900 },
  ],
};
const MANY_TIERS = [
  ...Array.from({ length: 20 }, (_, i) => ({ upTo: i + 1, perThousand: 1 })),
  { upTo: null, perThousand: 1 },
];

const parse = (price: unknown) => parseConfig({ plans: { gold: { ...GOLD, price } } as never });

describe("the price of a plan", () => {
  test("has a base and tiers, in minor units of a currency, and may be left out", () => {
    expect(parse(PRICE).plans.gold?.price).toEqual(PRICE);
    expect(parse(undefined).plans.gold?.price).toBeUndefined();
  });

  const ORDER = "each tier must end after the one before it, and only the last has no end";
  test.each([
    [{ currency: "Euro" }, "price.currency: must be the three letters of a currency"],
    [{ base: -1 }, "price.base: must be a whole number from 0 to 1000000"],
    [{ base: 49.5 }, "price.base: must be a whole number from 0 to 1000000"],
    [{ base: undefined }, "price.base: must be a whole number from 0 to 1000000"],
    [{ vat: 19 }, 'price: "vat" is no setting'],
    [{ tiers: [{ upTo: null, perThousand: 0.9 }] }, "price.tiers.0.perThousand: must be a whole number"],
    [{ tiers: [{ upTo: 0, perThousand: 1 }] }, "price.tiers.0.upTo: must be a whole number from 1 to"],
    [{ tiers: [{ upTo: null, perCall: 1, perThousand: 1 }] }, 'price.tiers.0: "perCall" is no setting'],
    [{ tiers: [] }, "price.tiers: must hold 1 to 20 tiers"],
    [{ tiers: MANY_TIERS }, "price.tiers: must hold 1 to 20 tiers"],
    [{ tiers: [{ upTo: 5, perThousand: 1 }] }, `price.tiers: ${ORDER}`],
    [{ tiers: [PRICE.tiers[1], PRICE.tiers[1]] }, `price.tiers: ${ORDER}`],
    [{ tiers: [PRICE.tiers[0], PRICE.tiers[0], PRICE.tiers[1]] }, `price.tiers: ${ORDER}`],
  ])("%j is refused, and the property is named", (wrong, message) => {
    expect(() => parse({ ...PRICE, ...wrong })).toThrow(`plans.gold.${message}`);
  });
});

test("prices come to the functions that make bills", () => {
  const stack = new Synthesized({ plans: { gold: { ...GOLD, price: PRICE } } });
  for (const handler of [/Handlersusage/, /Billerbill/]) {
    const { PLANS } = stack.one("AWS::Lambda::Function", handler).Properties.Environment.Variables;
    expect(JSON.parse(PLANS)).toEqual({ gold: { ...GOLD, price: PRICE } });
  }
});
