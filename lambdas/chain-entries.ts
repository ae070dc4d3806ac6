// GET /v1/chains/{chain_id}/entries/{place}: leaves of one of the tenant's own chains, at the places of C2SP tlog-tiles.
import { DisclosureError } from "../evidence/core/errors.ts";
import { parseTilePlace } from "../evidence/core/log/tile-place.ts";
import { openTable } from "../service/opening/connections.ts";
import { ChainEntries } from "../service/reports/chain-entries.ts";
import { apiHandler, privateBytes } from "./middleware/api.ts";
import { readPathText } from "./middleware/path-parameters.ts";
import { readCaller } from "./middleware/request.ts";

/** A bundle never changes, and is nobody's business but the tenant's. */
const BUNDLE_CACHE = "private, max-age=31536000, immutable";

const entries = new ChainEntries(openTable());

export const handler = apiHandler(async (event) => {
  const caller = readCaller(event, "report");
  const place = parseTilePlace(readPathText(event, "place"));
  if (place === null) throw new DisclosureError("not_found", "this is no place of a bundle");
  return privateBytes(BUNDLE_CACHE, await entries.read(caller, readPathText(event, "chain_id"), place));
});
