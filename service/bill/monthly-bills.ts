// The run that makes and stores the final bills of the month before. It may die at any step, and runs may overlap
// (CRASHES.md): a bill is stored once, and the next run goes on with those that are missing.
import type { Meter } from "../../contract/metric-names.ts";
import { DAY_MS, MINUTE_MS } from "../../contract/time.ts";
import { type Month, monthBefore, monthOf } from "../../evidence/core/formats/month.ts";
import { mapInGroups } from "../table/in-groups.ts";
import { someOf } from "../table/some-of.ts";
import type { Tenant, TenantRegistry } from "../tenants/tenant-registry.ts";
import { isOfTenant } from "./billed-tenant.ts";
import type { StoredBillServices } from "./bills.ts";
import { buildWholeBill } from "./build-bill.ts";
import { isClosed } from "./month-extent.ts";

/** Tenants whose bills are made at the same time. */
const TENANTS_AT_ONCE = 4;
/** A run begins no further bill after this time, and leaves the rest to the next: a function's time is limited. */
const RUN_BUDGET_MS = 10 * MINUTE_MS;
/** The bills of a month that is done which a run looks for. */
const MAX_LOOKED_FOR = 16;
/** A month that can't be closed so long after its end needs somebody who looks why. */
const OVERDUE_AFTER_MS = DAY_MS;

export interface MonthlyBillServices extends StoredBillServices {
  readonly registry: Pick<TenantRegistry, "list">;
  readonly meter: Meter;
  /** Called for each tenant whose bill could not be made or stored. */
  readonly onFailure: (tenantId: string, error: unknown) => void;
  /** Milliseconds of a clock that never goes back. */
  readonly monotonic: () => number;
}

export interface MonthlyRun {
  readonly month: string;
  /** Bills that this run stored. */
  readonly stored: number;
  /** Tenants whose bill is not stored: their month can't be closed yet, or the run's time was over. */
  readonly waiting: number;
  readonly failed: number;
}

type BillOutcome = "stored" | "known" | "waiting" | "failed";

/** Throws `ledger_unavailable`, `publication_unavailable` and `clock_off`, where no tenant can be billed. */
export async function makeMonthlyBills(services: MonthlyBillServices): Promise<MonthlyRun> {
  const { registry, stored, table, meter, monotonic } = services;
  const now = table.clock();
  const month = monthBefore(monthOf(now));
  const nothing = { month: month.name, stored: 0, waiting: 0, failed: 0 };
  if (!isClosed(month, now)) return nothing;
  const tenants = (await registry.list()).filter((tenant) => isOfTenant(month, tenant));
  if (await isDone(services, month, tenants)) return nothing;
  const deadline = monotonic() + RUN_BUDGET_MS;
  const outcomes = await mapInGroups(
    tenants,
    TENANTS_AT_ONCE,
    async (tenant): Promise<BillOutcome> =>
      monotonic() < deadline ? billTenant(services, tenant, month) : "waiting",
  );
  const count = (kind: BillOutcome): number => outcomes.filter((outcome) => outcome === kind).length;
  const run = { ...nothing, stored: count("stored"), waiting: count("waiting"), failed: count("failed") };
  if (run.waiting + run.failed === 0) await stored.markComplete(month, tenants.length, now);
  const isOverdue = now.getTime() >= Date.parse(month.endsAt) + OVERDUE_AFTER_MS;
  meter("billFailures", run.failed + (isOverdue ? run.waiting : 0));
  return run;
}

/** Whether the month is marked. A mark may have been put there by hand: some of its bills are looked for each time. */
async function isDone(
  { stored }: MonthlyBillServices,
  month: Month,
  tenants: readonly Tenant[],
): Promise<boolean> {
  if ((await stored.markedTenants(month)) !== tenants.length) return false;
  const looked = someOf(tenants, MAX_LOOKED_FOR).map(({ tenantId }) => stored.has(month, tenantId));
  return (await Promise.all(looked)).every((isThere) => isThere);
}

/** A tenant's fault must not keep the others from their bills. */
async function billTenant(
  services: MonthlyBillServices,
  { tenantId }: Tenant,
  month: Month,
): Promise<BillOutcome> {
  try {
    const { stored, table } = services;
    if ((await stored.get(month, tenantId)) !== null) return "known";
    const bill = await buildWholeBill(services, tenantId, month);
    if (bill.status !== "final") return "waiting";
    await stored.put(month, bill, table.clock());
    return "stored";
  } catch (error) {
    services.onFailure(tenantId, error);
    return "failed";
  }
}
