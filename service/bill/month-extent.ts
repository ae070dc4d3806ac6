// How much of a month is in a tenant's chains, as far as published seals hold them, and whether that is all of it.
import { CLOSED_AFTER_MS } from "../../evidence/core/formats/bill.ts";
import type { Month } from "../../evidence/core/formats/month.ts";
import { readEntry } from "../ledger/log.ts";
import { listChains } from "../ledger/tenant-chains.ts";
import type { SealedTree } from "../seals/seal-item.ts";
import { SealRecords } from "../seals/seal-records.ts";
import { readNewestSpanWithin } from "../seals/span.ts";
import { mapInGroups } from "../table/in-groups.ts";
import { leafKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import type { BilledTenant } from "./billed-tenant.ts";
import { type ChainMonth, findMonths, issuedAtOf, type PublishedChain } from "./chain-month.ts";

/** Chains whose newest head is asked for at the same time. */
const READS_AT_ONCE = 64;

export interface MonthExtent {
  readonly madeAt: Date;
  /** The newest published seal; null before the first. */
  readonly asOf: SealedTree | null;
  /** Those that a published seal holds, in the order of their shards. */
  readonly chains: readonly ChainMonth[];
  readonly count: number;
  /** True once the month is over and published heads hold all of its receipts. */
  readonly isFinal: boolean;
}

/** Throws `ledger_corrupt`, `ledger_unavailable`, `clock_off`. */
export async function readMonthExtent(
  table: Table,
  tenant: BilledTenant,
  month: Month,
): Promise<MonthExtent> {
  // The clock first: what is not in the table when the month is closed by it never will be.
  const madeAt = table.clock();
  const asOf = (await new SealRecords(table).newestPublished())?.tree ?? null;
  const chains = await findMonths(table, await readPublished(table, tenant, asOf?.tree_size ?? 0), month);
  const isFinal = isClosed(month, madeAt) && !(await hasUnpublished(table, tenant, chains, month));
  const count = chains.reduce((sum, { from, to }) => sum + to - from, 0);
  return { madeAt, asOf, chains, count, isFinal };
}

/** Says whether no receipt can be dated into the month any more. */
export const isClosed = ({ endsAt }: Month, now: Date): boolean =>
  now.getTime() >= Date.parse(endsAt) + CLOSED_AFTER_MS;

async function readPublished(
  table: Table,
  tenant: BilledTenant,
  metachainSize: number,
): Promise<PublishedChain[]> {
  const chains = await mapInGroups(listChains(tenant), READS_AT_ONCE, async (chain) => {
    const newest = await readNewestSpanWithin(table, chain.chainId, metachainSize);
    return newest === null ? [] : [{ ...chain, newest }];
  });
  return chains.flat();
}

/** Says whether a receipt of the month waits for its seal: the first that waits in a chain is the oldest of them. */
async function hasUnpublished(
  table: Table,
  tenant: BilledTenant,
  chains: readonly ChainMonth[],
  { endsAt }: Month,
): Promise<boolean> {
  const sizes = new Map(chains.map(({ chainId, newest }) => [chainId, newest.treeSize]));
  const keys = listChains(tenant).map(({ chainId }) => leafKey(chainId, sizes.get(chainId) ?? 0));
  const waiting = await table.batchGet(keys);
  return waiting.some((item) => (issuedAtOf(readEntry(item)) ?? "") < endsAt);
}
