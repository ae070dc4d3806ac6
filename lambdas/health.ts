// GET /v1/health: says that requests reach a handler and are answered. It asks nothing else, so that it costs next to
// nothing and says the same whatever the ledger does.
import { apiHandler, publicText } from "./middleware/api.ts";

const BODY = JSON.stringify({ status: "ok" });

export const handler = apiHandler(() => publicText("application/json", "no-store", BODY));
