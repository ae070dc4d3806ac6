// GET /v1/metachain: how many roots are published, and the latest seal, as in the object in the bucket.
import { openRoots } from "../service/open-roots.ts";
import { HEAD_CACHE } from "../service/seals/published-roots.ts";
import { apiHandler, publicText } from "./middleware/api.ts";

const roots = openRoots();

export const handler = apiHandler(async () =>
  publicText("application/json", HEAD_CACHE, JSON.stringify(await roots.head())),
);
