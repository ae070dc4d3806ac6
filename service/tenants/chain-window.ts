// Some of the chains of all tenants, for a run that has no time for all: they begin at a random place, so that every chain
// has its turn, and nobody who writes the table can keep one out for long.
import { MAX_CHAINS } from "../../contract/limits.ts";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import { chainIdOf } from "../../evidence/core/formats/tenant-anchor.ts";
import type { TenantChains } from "../ledger/tenant-chains.ts";
import { textOf } from "../table/attributes.ts";
import type { Item } from "../table/item.ts";
import { TENANTS_PARTITION, tenantKey } from "../table/keys.ts";
import { someOf } from "../table/some-of.ts";
import type { Table } from "../table/table.ts";
import { readTenantChains } from "./tenants.ts";

export interface ChainWindowOptions {
  /** The most chains, and the most tenants that they are taken from. */
  readonly limit: number;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Called for a tenant whose item is damaged: it keeps no other tenant's chains out. */
  readonly onDamaged: (error: unknown) => void;
}

/** The ids of all chains, or of `limit` of them. One query, and a read for each tenant of the window. */
export async function readChainWindow(table: Table, options: ChainWindowOptions): Promise<string[]> {
  const { limit, random, onDamaged } = options;
  const index = await table.query({ partition: TENANTS_PARTITION });
  const tenantIds = someOf(index, limit, random).map((item) => textOf(item, "sk"));
  const items = await table.batchGet(tenantIds.map(tenantKey));
  const tenants = items.flatMap((item) => readOrTell(item, onDamaged));
  const total = tenants.reduce((sum, { chains }) => sum + chains, 0);
  const start = Math.floor(random() * total);
  return Array.from({ length: Math.min(limit, total) }, (_, i) => chainAt(tenants, (start + i) % total));
}

function readOrTell(item: Item, onDamaged: (error: unknown) => void): TenantChains[] {
  try {
    const { tenantAnchor, chains } = readTenantChains(item);
    return [{ tenantAnchor, chains: Math.min(chains, MAX_CHAINS) }];
  } catch (error) {
    if (!isDisclosureError(error, "ledger_corrupt")) throw error;
    onDamaged(error);
    return [];
  }
}

/** The chain at a place among the chains of all these tenants, one tenant's after the other's. */
function chainAt(tenants: readonly TenantChains[], place: number): string {
  let shard = place;
  for (const { tenantAnchor, chains } of tenants) {
    if (shard < chains) return chainIdOf(tenantAnchor, shard);
    shard -= chains;
  }
  throw new RangeError("the tenants have fewer chains");
}
