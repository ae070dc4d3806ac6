// GET /v1/status: the status of each endpoint, capability and jurisdiction, and when it was last checked.
import { policyLayers } from "../evidence/policy/index.ts";
import { openLayers } from "../service/opening/layers.ts";
import { buildServiceStatus } from "./api/service-status.ts";
import { apiHandler, publicText } from "./middleware/api.ts";

const CACHE = "public, max-age=300";
const text = JSON.stringify(buildServiceStatus(openLayers(policyLayers)));

export const handler = apiHandler(() => publicText("application/json", CACHE, text));
