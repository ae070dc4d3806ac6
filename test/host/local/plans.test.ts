import { expect, test } from "vitest";
import { localPlans } from "../../../host/local/plans.ts";
import { readSettings } from "../../../host/local/settings.ts";

const GOLD = { rate: 7, burst: 8, monthlyQuota: 9, chains: 2 };

test("the operator's command line is told of the stack's own plan first, and of those in the settings", () => {
  const { PLANS } = readSettings({ PLANS: JSON.stringify({ gold: GOLD }) });
  const plans = localPlans(PLANS);
  expect(Object.keys(plans)).toEqual(["local", "gold"]);
  expect(plans.gold).toEqual({ ...GOLD, usagePlanId: null });
});

test("without the setting they are those of a deployment without settings", () => {
  expect(Object.keys(localPlans(readSettings({}).PLANS))).toEqual(["local", "trial", "standard", "volume"]);
});

test("a plan's price is a setting, and a wrong one stops the start by its name", () => {
  const price = { currency: "EUR", base: 4_900, tiers: [{ upTo: null, perThousand: 900 }] };
  const settingOf = (given: object) => ({ PLANS: JSON.stringify({ gold: { ...GOLD, price: given } }) });
  expect(localPlans(readSettings(settingOf(price)).PLANS).gold?.price).toEqual(price);
  expect(() => readSettings(settingOf({ ...price, tiers: [{ upTo: 5, perThousand: 1 }] }))).toThrow(
    /PLANS\.gold\.price\.tiers: each tier must end after the one before it/,
  );
});
