// Opens the plans' limits from the environment. Without PLANS there are none.
import { planVariables, rateVariables } from "../../contract/environment-variables.ts";
import type { Plan } from "../../contract/plans.ts";
import { readEnvironment } from "../environment.ts";
import { MonthQuota } from "../limits/month-quota.ts";
import { RateLimit } from "../limits/token-bucket.ts";
import type { Table } from "../table/table.ts";

/** The plans by name. */
export const openPlans = (): ReadonlyMap<string, Plan> =>
  new Map(Object.entries(readEnvironment(planVariables).PLANS));

/** The month's quota by the clock that receipts are dated by. */
export function openMonthQuota(table: Table, onFault: (error: unknown) => void): MonthQuota {
  const { PLANS: plans } = readEnvironment(planVariables);
  return new MonthQuota({ table, clock: table.clock, plans, onFault });
}

/** The plans' rates; null where the front door holds them. */
export function openRateLimit(): RateLimit | null {
  const { RATE_LIMIT } = readEnvironment(rateVariables);
  if (!RATE_LIMIT) return null;
  const { PLANS: plans } = readEnvironment(planVariables);
  return new RateLimit({ plans, monotonic: () => performance.now(), clock: () => new Date() });
}
