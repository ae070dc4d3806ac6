// GET /v1/policy/layers/{digest}: one published layer, in the bytes that its digest is the hash of.
import { LAYER_NAME, LAYERS_FOLDER } from "../contract/policy-paths.ts";
import { DisclosureError } from "../evidence/core/errors.ts";
import { openRoots } from "../service/opening/roots.ts";
import { IMMUTABLE_CACHE } from "../service/seals/public-files.ts";
import { apiHandler, publicText } from "./middleware/api.ts";
import { readPathText } from "./middleware/path-parameters.ts";

const { files } = openRoots();

export const handler = apiHandler(async (event) => {
  const name = readPathText(event, "digest");
  if (!LAYER_NAME.test(name))
    throw new DisclosureError(
      "not_found",
      "a layer's name is the 64 lower-case hex digits of its digest, without sha256:",
    );
  const layer = await files.text(`${LAYERS_FOLDER}/${name}`);
  if (layer === null) throw new DisclosureError("not_found", "no layer is published under this digest");
  return publicText("application/json", IMMUTABLE_CACHE, layer.text);
});
