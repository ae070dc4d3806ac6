// GET /v1/metachain/roots/{index}: one published seal, in the bytes of its object.
import { DisclosureError } from "../evidence/core/errors.ts";
import { openRoots } from "../service/opening/roots.ts";
import { IMMUTABLE_CACHE } from "../service/seals/public-files.ts";
import { apiHandler, publicText } from "./middleware/api.ts";
import { readPathIndex } from "./middleware/path-parameters.ts";

const roots = openRoots();

export const handler = apiHandler(async (event) => {
  const index = readPathIndex(event, "index");
  const text = index === null ? null : await roots.sealText(index);
  if (text === null) throw new DisclosureError("not_found", "no root is published under this index");
  return publicText("application/json", IMMUTABLE_CACHE, text);
});
