// The plans' rates, held in this process: a token bucket for each tenant, as API Gateway has one for each of its keys.
// Processes know nothing of each other's buckets, so a tenant gets its rate from each of them.
import type { Plan, Plans } from "../../contract/plans.ts";
import { SECOND_MS } from "../../contract/time.ts";
import { BoundedMap } from "../../evidence/core/bounded-map.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { LimitReached } from "./limit-reached.ts";

/** Tenants whose buckets are remembered. One that is dropped starts with a full bucket again. */
const MAX_BUCKETS = 10_000;

interface Bucket {
  /** The tokens that were left at `at`; never more than the plan's burst. */
  readonly tokens: number;
  /** Milliseconds of the monotonic clock. */
  readonly at: number;
}

export interface RateLimitOptions {
  readonly plans: Plans;
  /** Milliseconds that never go back. */
  readonly monotonic: () => number;
  /** Only the time in the answer comes from it. */
  readonly clock: () => Date;
}

export class RateLimit {
  readonly #options: RateLimitOptions;
  readonly #plans: ReadonlyMap<string, Plan>;
  readonly #buckets = new BoundedMap<string, Bucket>(MAX_BUCKETS);

  constructor(options: RateLimitOptions) {
    this.#options = options;
    this.#plans = new Map(Object.entries(options.plans));
  }

  /**
   * Takes one call out of the tenant's bucket. Throws `rate_exceeded` where it is empty, which takes nothing, and
   * `forbidden` for a plan that is not one of the deployment's, as API Gateway refuses a tenant without a usage plan. Where
   * there are no plans, nobody has limits.
   */
  take(tenantId: string, planName: string): void {
    if (this.#plans.size === 0) return;
    const plan = this.#plans.get(planName);
    if (plan === undefined)
      throw new DisclosureError("forbidden", "the account's plan is not one of this deployment's");
    const at = this.#options.monotonic();
    const tokens = this.#tokensOf(tenantId, plan, at);
    if (tokens < 1) throw this.#exceeded(plan, 1 - tokens);
    this.#buckets.set(tenantId, { tokens: tokens - 1, at });
  }

  /** A move to a plan with a smaller burst takes effect at once. */
  #tokensOf(tenantId: string, { rate, burst }: Plan, at: number): number {
    const bucket = this.#buckets.get(tenantId);
    if (bucket === undefined) return burst;
    return Math.min(burst, bucket.tokens + ((at - bucket.at) / SECOND_MS) * rate);
  }

  #exceeded({ rate, burst }: Plan, lacking: number): LimitReached {
    const now = this.#options.clock();
    const endsAt = new Date(now.getTime() + (lacking / rate) * SECOND_MS);
    const message = `the plan allows ${rate} calls a second, ${burst} of them at once; the next one may come at ${endsAt.toISOString()}`;
    return new LimitReached("rate_exceeded", message, "rate", now, endsAt);
  }
}
