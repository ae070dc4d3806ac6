// GET /v1/metachain/roots/{index}: one published seal, in the very bytes of its file.
import { DisclosureError } from "../core/errors.ts";
import { openRoots } from "../service/open-roots.ts";
import { ROOT_CACHE } from "../service/roots.ts";
import { apiHandler, publicText } from "./middleware/api.ts";

const INDEX = /^(?:0|[1-9]\d{0,15})$/;

const roots = openRoots();

export const handler = apiHandler(async (event) => {
  const index = event.pathParameters?.index ?? "";
  const text = INDEX.test(index) ? await roots.sealText(Number(index)) : null;
  if (text === null) throw new DisclosureError("not_found", "no root is published under this index");
  return publicText("application/json", ROOT_CACHE, text);
});
