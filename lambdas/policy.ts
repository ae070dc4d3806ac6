// GET /v1/policy: every jurisdiction with its status and current layer, as in the object in the bucket.
import { POLICY_PATH } from "../contract/policy-paths.ts";
import { DisclosureError } from "../evidence/core/errors.ts";
import { openRoots } from "../service/opening/roots.ts";
import { MOVING_CACHE } from "../service/seals/public-files.ts";
import { apiHandler, publicText } from "./middleware/api.ts";

const { files } = openRoots();

export const handler = apiHandler(async () => {
  const index = await files.text(POLICY_PATH);
  // The sealer's first run of a new deployment publishes it.
  if (index === null) throw new DisclosureError("not_found", "the wording policy is not published yet");
  return publicText("application/json", MOVING_CACHE, index.text);
});
