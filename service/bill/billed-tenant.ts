// The tenant of a bill, as its item in the table has it when the bill is made.
import { DisclosureError } from "../../core/errors.ts";
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
