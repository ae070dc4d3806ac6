// GET /v1/chains: the tenant's own chains. The authorizer has read them already, so this needs nothing of the ledger.
import type { ChainList } from "../core/formats/chain-history.ts";
import { apiHandler, json } from "./middleware/api.ts";
import { readCaller } from "./middleware/request.ts";

export const handler = apiHandler((event) => {
  const { chainIds } = readCaller(event, "report");
  const answer: ChainList = { chains: chainIds.map((chain_id, shard) => ({ chain_id, shard })) };
  return json(answer);
});
