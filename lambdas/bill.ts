// The scheduled run of the monthly bills. A failed run loses nothing: the next one makes the bills that are missing.
import { type MonthlyRun, makeMonthlyBills } from "../service/bill/monthly-bills.ts";
import { describeError, logger } from "../service/logger.ts";
import { openStoredBills } from "../service/opening/bills.ts";
import { openTable } from "../service/opening/connections.ts";
import { openPlans } from "../service/opening/limits.ts";
import { TenantRegistry } from "../service/tenants/tenant-registry.ts";
import { measured, meter } from "./middleware/metrics.ts";

const table = openTable();
const services = {
  table,
  plans: openPlans(),
  stored: openStoredBills(),
  registry: new TenantRegistry(table, table.clock),
  meter,
  monotonic: () => performance.now(),
  onFailure: (tenant: string, error: unknown) =>
    logger.error("no bill was made", { tenant, failure: describeError(error) }),
};

export const handler = measured(async (): Promise<MonthlyRun> => {
  try {
    const run = await makeMonthlyBills(services);
    if (run.stored + run.waiting + run.failed > 0) logger.info("billed", { ...run });
    return run;
  } catch (error) {
    logger.error("the run of the bills failed", { failure: describeError(error) });
    throw error;
  }
});
