// A run of retention over all tenants that have one, as the operator's command makes it.
import { readRetainedChains } from "../../service/erasure/retained-chains.ts";
import { type RetentionOptions, type RetentionTally, runRetention } from "../../service/erasure/retention.ts";
import type { Table } from "../../service/table/table.ts";
import { TenantRegistry } from "../../service/tenants/tenant-registry.ts";
import type { Ledger } from "./ledger-stack.ts";

export const retain = (ledger: Ledger, options: Partial<RetentionOptions> = {}): Promise<RetentionTally> =>
  retainWith(ledger.newProcess().table, options);

/** The same by a process that a test knows. */
export async function retainWith(
  table: Table,
  options: Partial<RetentionOptions> = {},
): Promise<RetentionTally> {
  const registry = new TenantRegistry(table, table.clock);
  const chains = await readRetainedChains(table, await registry.retained(null));
  return runRetention(table, {
    chains,
    isDryRun: false,
    isResumable: true,
    onProgress: () => {},
    ...options,
  });
}
