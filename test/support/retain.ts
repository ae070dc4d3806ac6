// A run of retention over all tenants that have one, as the operator's command makes it.
import { readRetainedChains } from "../../service/erasure/retained-chains.ts";
import { type RetentionOptions, type RetentionTally, runRetention } from "../../service/erasure/retention.ts";
import { TenantRegistry } from "../../service/tenants/tenant-registry.ts";
import type { Ledger } from "./ledger-stack.ts";

export async function retain(
  ledger: Ledger,
  options: Partial<RetentionOptions> = {},
): Promise<RetentionTally> {
  const { table } = ledger.newProcess();
  const registry = new TenantRegistry(table, ledger.clock);
  const chains = await readRetainedChains(table, await registry.retained(null));
  return runRetention(table, {
    chains,
    isDryRun: false,
    isResumable: true,
    onProgress: () => {},
    ...options,
  });
}
