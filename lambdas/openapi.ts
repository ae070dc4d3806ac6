// GET /v1/openapi.json: the description of this API.
import { buildOpenApi } from "./api/openapi-document.ts";
import { apiHandler, publicText } from "./middleware/api.ts";

const CACHE = "public, max-age=300";
const text = JSON.stringify(buildOpenApi());

export const handler = apiHandler(() => publicText("application/json", CACHE, text));
