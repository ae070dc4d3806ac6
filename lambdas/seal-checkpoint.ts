// GET /v1/metachain/checkpoints/{index}: the signed checkpoint of one seal, in the bytes of its object.
import { checkpointPath } from "../contract/metachain-paths.ts";
import { DisclosureError } from "../evidence/core/errors.ts";
import { NOTE_TYPE } from "../service/log/published-checkpoints.ts";
import { openRoots } from "../service/opening/roots.ts";
import { IMMUTABLE_CACHE } from "../service/seals/public-files.ts";
import { apiHandler, publicText } from "./middleware/api.ts";
import { readPathIndex } from "./middleware/path-parameters.ts";

const { files } = openRoots();

export const handler = apiHandler(async (event) => {
  const index = readPathIndex(event, "index");
  const stored = index === null ? null : await files.text(checkpointPath(index));
  if (stored === null) throw new DisclosureError("not_found", "no checkpoint is published for this seal");
  return publicText(NOTE_TYPE, IMMUTABLE_CACHE, stored.text);
});
