// The plans that tenants are on: what each allows, and how many chains it is spread over.
import * as z from "zod";
import { MAX_CHAINS } from "./limits.ts";
import { wholeNumber } from "./whole-number.ts";

/** API Gateway's own limits for an account, unless AWS raised them. */
const MAX_RATE = 10_000;
const MAX_BURST = 5_000;
/** The largest number of 32 bits with a sign. */
const MAX_QUOTA = 2 ** 31 - 1;

export const planShape = {
  /** Calls of a tenant a second, sustained. */
  rate: wholeNumber(1, MAX_RATE),
  /** Calls at once. */
  burst: wholeNumber(1, MAX_BURST),
  /** Attestations a month (UTC). */
  monthlyQuota: wholeNumber(1, MAX_QUOTA),
  /** Chains that a tenant gets with the plan: each takes some eight attestations a second well where every call has its own process. */
  chains: wholeNumber(1, MAX_CHAINS),
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
