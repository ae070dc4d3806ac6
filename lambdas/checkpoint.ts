// GET /v1/metachain/checkpoint: the newest signed checkpoint of the log, in the bytes of its object.
import { CHECKPOINT_PATH } from "../contract/metachain-paths.ts";
import { DisclosureError } from "../evidence/core/errors.ts";
import { NOTE_TYPE } from "../service/log/published-checkpoints.ts";
import { openRoots } from "../service/opening/roots.ts";
import { MOVING_CACHE } from "../service/seals/public-files.ts";
import { apiHandler, publicText } from "./middleware/api.ts";

const { files } = openRoots();

export const handler = apiHandler(async () => {
  const stored = await files.text(CHECKPOINT_PATH);
  if (stored === null) throw new DisclosureError("not_found", "no checkpoint is published yet");
  return publicText(NOTE_TYPE, MOVING_CACHE, stored.text);
});
