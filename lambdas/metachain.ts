// GET /v1/metachain: how many roots are published, and the latest seal, as in the object in the bucket.
import { openRoots } from "../service/opening/roots.ts";
import { MOVING_CACHE } from "../service/seals/public-files.ts";
import { apiHandler, publicText } from "./middleware/api.ts";

const roots = openRoots();

export const handler = apiHandler(async () =>
  publicText("application/json", MOVING_CACHE, JSON.stringify(await roots.head())),
);
