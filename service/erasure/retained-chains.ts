// The chains of the tenants that have a retention, and how much of each is old enough to be removed: its leaves up to one
// place, for `issued_at` never goes back along a chain.
import { isDisclosureError } from "../../evidence/core/errors.ts";
import { readChainLeaf } from "../ledger/chain-leaf.ts";
import { cutoffOf } from "../ledger/leaf-states.ts";
import { Log } from "../ledger/log.ts";
import type { RetainedTenant } from "../ledger/tenant-chains.ts";
import { ChainGrowth } from "../limits/chain-growth.ts";
import { readNewestSpan } from "../seals/span.ts";
import { mapInGroups } from "../table/in-groups.ts";
import type { Table } from "../table/table.ts";

/** Chains that are read at the same time. */
const READS_AT_ONCE = 16;

export interface RetainedChain {
  readonly months: number;
  /** RFC 3339. Receipts from then on stay. */
  readonly cutoff: string;
  /** Every leaf from this one on is from then on as well, or not sealed yet, or the chain's newest. */
  readonly end: number;
}

export async function readRetainedChains(
  table: Table,
  tenants: readonly RetainedTenant[],
): Promise<ReadonlyMap<string, RetainedChain>> {
  const now = table.clock();
  const wanted = tenants.flatMap(({ chains, months }) => chains.map(({ chainId }) => ({ chainId, months })));
  const read = await mapInGroups(wanted, READS_AT_ONCE, async ({ chainId, months }) => {
    const cutoff = cutoffOf(now, months);
    return [chainId, { months, cutoff, end: await readEnd(table, chainId, cutoff) }] as const;
  });
  return new Map(read);
}

/** The first leaf that stays: log₂ of the chain's size readings. */
async function readEnd(table: Table, chainId: string, cutoff: string): Promise<number> {
  const log = new Log(table, chainId);
  const [newest, span] = await Promise.all([log.newest(), readNewestSpan(table, chainId)]);
  if (newest === null || span === null) return 0;
  const growth = new ChainGrowth();
  // The newest leaf stays, whatever its age.
  growth.learn(newest.leaf.leafIndex, true);
  for (let index = growth.undecided; index !== null; index = growth.undecided)
    growth.learn(index, await isYoung(log, index, cutoff));
  return Math.min(newest.leaf.leafIndex + 1 - growth.atMost, span.treeSize);
}

/** A leaf that is removed already is older than one that is not. A leaf that can't be read stays, and so do those after it. */
async function isYoung(log: Log, leafIndex: number, cutoff: string): Promise<boolean> {
  const entry = await log.entry(leafIndex);
  if (entry === null) return true;
  try {
    return readChainLeaf(entry).core.issued_at >= cutoff;
  } catch (error) {
    if (isDisclosureError(error, "receipt_removed")) return false;
    if (isDisclosureError(error, "ledger_corrupt")) return true;
    throw error;
  }
}
