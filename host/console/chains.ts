// The chains of one tenant: how long each is, how much of it is sealed, and when its newest receipt came.
import type { ConsoleChains } from "../../contract/console.ts";
import { readExtent } from "../../service/audit/chain-extent.ts";
import { mapInGroups } from "../../service/table/in-groups.ts";
import { leafKey } from "../../service/table/keys.ts";
import type { Table } from "../../service/table/table.ts";
import { READS_AT_ONCE, readListed } from "./chain-search.ts";
import type { Directory } from "./directory.ts";

/** Chains of one answer. */
const MAX_LISTED_CHAINS = 256;

export async function readChains(table: Table, directory: Directory, tenant: string): Promise<ConsoleChains> {
  const all = await directory.chains(tenant);
  const shown = all.slice(0, MAX_LISTED_CHAINS);
  const chains = await mapInGroups(shown, READS_AT_ONCE, async ({ chainId, shard }) => {
    const { size, sealedSize } = await readExtent(table, chainId);
    const newest = await issuedAt(table, chainId, size - 1);
    return { shard, chain_id: chainId, size, sealed_size: sealedSize, newest };
  });
  return { tenant, chains, left_out: all.length - shown.length };
}

/** Null for a leaf that is not there, or has no receipt that can be read. */
async function issuedAt(table: Table, chainId: string, leafIndex: number): Promise<string | null> {
  const item = leafIndex < 0 ? null : await table.get(leafKey(chainId, leafIndex));
  const leaf = item === null ? null : readListed(item);
  return leaf === null || typeof leaf === "string" ? null : leaf.issued_at;
}
