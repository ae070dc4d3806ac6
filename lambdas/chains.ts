// GET /v1/chains: the tenant's own chains, used or not. They follow from what the authorizer has read already, so this
// needs nothing of the ledger, and the answer is at most MAX_CHAINS short lines.
import type { ChainList } from "../evidence/core/formats/chain-history.ts";
import { listChains } from "../service/ledger/tenant-chains.ts";
import { apiHandler, json } from "./middleware/api.ts";
import { readCaller } from "./middleware/request.ts";

export const handler = apiHandler((event) => {
  const chains = listChains(readCaller(event, "report"));
  const answer: ChainList = { chains: chains.map(({ chainId: chain_id, shard }) => ({ chain_id, shard })) };
  return json(answer);
});
