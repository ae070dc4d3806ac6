// GET /v1/policy/{jurisdiction}: the layers of one jurisdiction, as in the object in the bucket.
import { jurisdictionPath } from "../contract/policy-paths.ts";
import { DisclosureError } from "../evidence/core/errors.ts";
import { isCountryCode } from "../evidence/core/formats/iso-3166.ts";
import { openRoots } from "../service/opening/roots.ts";
import { MOVING_CACHE } from "../service/seals/public-files.ts";
import { apiHandler, publicText } from "./middleware/api.ts";
import { readPathText } from "./middleware/path-parameters.ts";

const { files } = openRoots();

export const handler = apiHandler(async (event) => {
  const jurisdiction = readPathText(event, "jurisdiction");
  if (!isCountryCode(jurisdiction))
    throw new DisclosureError("not_found", "a jurisdiction is an ISO 3166-1 alpha-2 code in capitals, as DE");
  const policy = await files.text(jurisdictionPath(jurisdiction));
  if (policy === null)
    throw new DisclosureError("not_found", "no wording policy is published for this jurisdiction");
  return publicText("application/json", MOVING_CACHE, policy.text);
});
