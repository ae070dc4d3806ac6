// GET /v1/chains/{chain_id}/tile/0/{place}: leaf hashes of one of the tenant's own chains, as a tile of C2SP tlog-tiles.
import { DisclosureError } from "../evidence/core/errors.ts";
import { parseTilePlace } from "../evidence/core/log/tile-place.ts";
import { openTable } from "../service/opening/connections.ts";
import { ChainTiles } from "../service/reports/chain-tiles.ts";
import { apiHandler, privateBytes } from "./middleware/api.ts";
import { readPathText } from "./middleware/path-parameters.ts";
import { readCaller } from "./middleware/request.ts";

/** A tile never changes, and is nobody's business but the tenant's. */
const TILE_CACHE = "private, max-age=31536000, immutable";

const tiles = new ChainTiles(openTable());

export const handler = apiHandler(async (event) => {
  const caller = readCaller(event, "report");
  const place = parseTilePlace(readPathText(event, "place"));
  if (place === null) throw new DisclosureError("not_found", "this is no place of a tile");
  return privateBytes(TILE_CACHE, await tiles.read(caller, readPathText(event, "chain_id"), place));
});
