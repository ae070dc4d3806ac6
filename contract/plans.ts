// The plans that tenants are on: what each allows, how many chains it is spread over, and what a receipt costs.
import * as z from "zod";
import { MAX_CHAINS } from "./limits.ts";
import { only } from "./only.ts";
import { wholeNumber } from "./whole-number.ts";

/** API Gateway's own limits for an account, unless AWS raised them. */
const MAX_RATE = 10_000;
const MAX_BURST = 5_000;
/** The largest number of 32 bits with a sign. */
const MAX_QUOTA = 2 ** 31 - 1;
/** Minor units of a currency, so that no sum of a bill leaves the whole numbers that a program holds exactly. */
const MAX_PRICE = 1_000_000;
const MAX_TIERS = 20;
const TIERS = `must hold 1 to ${MAX_TIERS} tiers`;

const tierSchema = only({
  /** The last receipt of the month that this price is for; null in the last tier. */
  upTo: wholeNumber(1, MAX_QUOTA).nullable(),
  /** Minor units for a thousand receipts. */
  perThousand: wholeNumber(0, MAX_PRICE),
});

/** Graduated prices of a month's receipts, in minor units of a currency (cents), without tax. */
export const priceSchema = only({
  /** ISO 4217. */
  currency: z.string().regex(/^[A-Z]{3}$/, "must be the three letters of a currency"),
  /** For the month, whatever its receipts are. */
  base: wholeNumber(0, MAX_PRICE),
  /** One after another; an included volume is a first tier with the price 0. */
  tiers: z.array(tierSchema).min(1, TIERS).max(MAX_TIERS, TIERS),
}).refine(({ tiers }) => isAscending(tiers.map(({ upTo }) => upTo)), {
  path: ["tiers"],
  error: "each tier must end after the one before it, and only the last has no end",
});
export type Price = z.infer<typeof priceSchema>;

const isAscending = (ends: readonly (number | null)[]): boolean =>
  ends.every((end, i) => {
    const before = ends[i - 1];
    if (i > 0 && typeof before !== "number") return false;
    return end === null ? i === ends.length - 1 : i < ends.length - 1 && end > (before ?? 0);
  });

export const planShape = {
  /** Calls of a tenant a second, sustained. */
  rate: wholeNumber(1, MAX_RATE),
  /** Calls at once. */
  burst: wholeNumber(1, MAX_BURST),
  /** Attestations a month (UTC). */
  monthlyQuota: wholeNumber(1, MAX_QUOTA),
  /** Chains that a tenant gets with the plan: each takes some eight attestations a second well where every call has its own process. */
  chains: wholeNumber(1, MAX_CHAINS),
  /** The price of the month's receipts; without one, bills have counts and no amounts. */
  price: priceSchema.optional(),
};
const planSchema = z.object(planShape);
export type Plan = z.infer<typeof planSchema>;

/** By the plan's name. */
export const plansSchema = z.record(z.string(), planSchema);
export type Plans = Readonly<Record<string, Plan>>;

export const DEFAULT_PLANS = {
  trial: { rate: 5, burst: 10, monthlyQuota: 10_000, chains: 1 },
  standard: { rate: 50, burst: 100, monthlyQuota: 1_000_000, chains: 8 },
  volume: { rate: 500, burst: 1_000, monthlyQuota: 100_000_000, chains: 64 },
} satisfies Plans;
