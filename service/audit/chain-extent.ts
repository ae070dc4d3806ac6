// The size of a log, and how much of a chain is in the metachain: two reads, whatever the size.
import { readNewestSpan } from "../seals/span.ts";
import { textOf } from "../table/attributes.ts";
import { leafIndexOf, logPartition } from "../table/keys.ts";
import type { Table } from "../table/table.ts";

export interface ChainExtent {
  readonly size: number;
  /** The part of the chain that the metachain has; 0 before its first seal. */
  readonly sealedSize: number;
}

/** The seals are read first, so that a chain which grows meanwhile is never found shorter than what was sealed of it. */
export async function readExtent(table: Table, chainId: string): Promise<ChainExtent> {
  const span = await readNewestSpan(table, chainId);
  return { sealedSize: span?.treeSize ?? 0, size: await readSize(table, chainId) };
}

/** Taken from the key of its newest leaf, which is right whatever else of that item is damaged. */
export async function readSize(table: Table, logId: string): Promise<number> {
  const newest = await table.newest(logPartition(logId));
  return newest === null ? 0 : leafIndexOf(textOf(newest, "sk")) + 1;
}
