// A tenant's chains, computed from its anchor when they are needed: however many there are, a caller carries two values.
import { MAX_CHAINS } from "../../contract/limits.ts";
import { BoundedMap } from "../../evidence/core/bounded-map.ts";
import { utf8 } from "../../evidence/core/bytes.ts";
import { chainIdOf } from "../../evidence/core/formats/tenant-anchor.ts";
import { hashBytes } from "../../evidence/core/merkle/hash.ts";
import type { Chain } from "./chain.ts";

export interface TenantChains {
  /** The secret from which the ids of all its chains follow. */
  readonly tenantAnchor: string;
  /** Conversations that begin are spread over so many. The number may grow, and never shrinks. */
  readonly chains: number;
}

/** The chains of a tenant that keeps receipts for so many months. */
export interface RetainedTenant {
  readonly chains: readonly Chain[];
  readonly months: number;
}

/** The chain of a conversation that begins: by a hash of its id. */
export function chainOf({ tenantAnchor, chains }: TenantChains, interactionId: string): Chain {
  const hash = hashBytes(utf8(interactionId));
  const shard = new DataView(hash.buffer, hash.byteOffset).getUint32(0) % chains;
  return { shard, chainId: chainIdOf(tenantAnchor, shard) };
}

/**
 * The shards that searches found, by anchor and chain. A search takes as many hashes as the shard's number: each process
 * makes it once for a chain, and remembers what it found, not what it passed.
 */
const FOUND = new BoundedMap<string, number>(MAX_CHAINS);

/** The shard of one of the tenant's chains, or null for a chain that is not among them. */
export function shardOf({ tenantAnchor, chains }: TenantChains, chainId: string): number | null {
  const name = `${tenantAnchor}\n${chainId}`;
  const found = FOUND.get(name) ?? search(tenantAnchor, chainId, chains);
  if (found === null || found >= chains) return null;
  FOUND.set(name, found);
  return found;
}

function search(tenantAnchor: string, chainId: string, chains: number): number | null {
  for (let shard = 0; shard < chains; shard++) {
    if (chainIdOf(tenantAnchor, shard) === chainId) return shard;
  }
  return null;
}

/** The same for a chain that has receipts: the number that a caller was told may have grown since. */
export const everShardOf = (caller: TenantChains, chainId: string): number | null =>
  shardOf({ ...caller, chains: MAX_CHAINS }, chainId);

/** All of them, in the order of their shards. */
export const listChains = ({ tenantAnchor, chains }: TenantChains): Chain[] =>
  Array.from({ length: chains }, (_, shard) => ({ shard, chainId: chainIdOf(tenantAnchor, shard) }));
