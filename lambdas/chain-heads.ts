// GET /v1/chains/{chain_id}: the sealed heads of one of the tenant's own chains, page by page.
import * as z from "zod";
import { MAX_SEQUENCE } from "../evidence/core/formats/event-id.ts";
import { openTable } from "../service/opening/connections.ts";
import { readChainPage } from "../service/reports/chain-history.ts";
import { apiHandler, json } from "./middleware/api.ts";
import { readPathText } from "./middleware/path-parameters.ts";
import { readAs, readCaller } from "./middleware/request.ts";

const table = openTable();

const SIZE = `must be a size of the chain, from 0 to ${MAX_SEQUENCE}`;

const querySchema = z.strictObject({
  from: z
    .string()
    .regex(/^(?:0|[1-9]\d{0,14})$/, SIZE)
    .transform(Number)
    .pipe(z.int().max(MAX_SEQUENCE, SIZE))
    .default(0),
});

export const handler = apiHandler(async (event) => {
  const caller = readCaller(event, "report");
  const { from } = readAs(querySchema, event.queryStringParameters ?? {});
  return json(await readChainPage(table, caller, readPathText(event, "chain_id"), from));
});
