// GET /v1/metachain/timestamps/{index}/{n}: a token that came after its seal was published, in the bytes of its object.
import { DisclosureError } from "../evidence/core/errors.ts";
import { openRoots } from "../service/opening/roots.ts";
import { IMMUTABLE_CACHE } from "../service/seals/public-files.ts";
import { apiHandler, publicText } from "./middleware/api.ts";
import { readPathIndex } from "./middleware/path-parameters.ts";

const roots = openRoots();

export const handler = apiHandler(async (event) => {
  const [index, n] = [readPathIndex(event, "index"), readPathIndex(event, "n")];
  const text = index === null || n === null ? null : await roots.timestampText(index, n);
  if (text === null) throw new DisclosureError("not_found", "no such timestamp is published");
  return publicText("application/json", IMMUTABLE_CACHE, text);
});
