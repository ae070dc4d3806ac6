// The tenant of a bill, as its item in the table has it when the bill is made, and the months that it can have a bill of.
import { DisclosureError } from "../../evidence/core/errors.ts";
import type { Month } from "../../evidence/core/formats/month.ts";
import type { TenantChains } from "../ledger/tenant-chains.ts";
import { textOf } from "../table/attributes.ts";
import { tenantKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { readTenantChains } from "../tenants/tenants.ts";

export interface BilledTenant extends TenantChains {
  readonly tenantId: string;
  readonly plan: string;
  /** RFC 3339. */
  readonly createdAt: string;
}

/** Throws `not_found`. */
export async function readBilledTenant(table: Table, tenantId: string): Promise<BilledTenant> {
  const item = await table.get(tenantKey(tenantId));
  if (item === null) throw new DisclosureError("not_found", `there is no tenant ${tenantId}`);
  const [plan, createdAt] = [textOf(item, "plan"), textOf(item, "created_at")];
  return { tenantId, plan, createdAt, ...readTenantChains(item) };
}

/** Says whether the tenant was there before the month ended. */
export const isOfTenant = ({ endsAt }: Month, { createdAt }: { readonly createdAt: string }): boolean =>
  createdAt < endsAt;

/** Throws `invalid_request` for a month that the tenant can have no bill of. */
export function requireBillable(month: Month, tenant: BilledTenant, now: Date): void {
  const { name, startsAt } = month;
  if (startsAt > now.toISOString()) throw notBillable(`${name} has not begun yet`);
  if (!isOfTenant(month, tenant)) {
    throw notBillable(`there is no bill of ${name}: the tenant was created on ${tenant.createdAt}`);
  }
}

function notBillable(detail: string): DisclosureError {
  const errors = [{ pointer: "#/month", detail }];
  return new DisclosureError("invalid_request", detail, { errors });
}
