// Opens the plans' limits from the environment. Without PLANS there are none.
import { planVariables } from "../contract/environment-variables.ts";
import { readEnvironment } from "./environment.ts";
import { MonthQuota } from "./limits/month-quota.ts";
import type { Table } from "./table/table.ts";

/** The month's quota by the clock that receipts are dated by. */
export function openMonthQuota(table: Table, onFault: (error: unknown) => void): MonthQuota {
  const { PLANS: plans } = readEnvironment(planVariables);
  return new MonthQuota({ table, clock: table.clock, plans, onFault });
}
