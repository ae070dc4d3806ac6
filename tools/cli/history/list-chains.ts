// The chains of a tenant: those that the service tells, or those that the tenant's anchor gives.
import { DisclosureError } from "../../../evidence/core/errors.ts";
import { MAX_SHARD } from "../../../evidence/core/formats/event-id.ts";
import { chainIdOf } from "../../../evidence/core/formats/tenant-anchor.ts";
import type { ChainClient, OwnChain } from "./chain-client.ts";

/** In the order of their shards. `anchor` is null where the service is asked for them. Throws `proof_invalid`. */
export const listChains = (client: ChainClient, anchor: string | null): Promise<readonly OwnChain[]> =>
  anchor === null ? client.chains() : chainsUnder(client, anchor);

/** The chains of the anchor, from shard 0 up to the first that the service has not. */
async function chainsUnder(client: ChainClient, anchor: string): Promise<OwnChain[]> {
  const chains: OwnChain[] = [];
  for (let shard = 0; shard <= MAX_SHARD; shard++) {
    const chain_id = chainIdOf(anchor, shard);
    if (!(await client.has(chain_id))) break;
    chains.push({ chain_id, shard });
  }
  if (chains.length === 0)
    throw new DisclosureError(
      "proof_invalid",
      "the service has no chain under this anchor, or it is not this key's tenant's",
    );
  return chains;
}

/** The ids that further chains of the tenant would have: no head of theirs may be in the log. */
export const unusedChains = (anchor: string, chains: number): string[] =>
  Array.from({ length: MAX_SHARD + 1 - chains }, (_, i) => chainIdOf(anchor, chains + i));
