// GET /v1/interactions/{interaction_id}: every receipt of one conversation, as one evidence bundle.
import * as z from "zod";
import { openMacs, openTable } from "../service/connections.ts";
import { readInteraction } from "../service/reports/reports.ts";
import { apiHandler, json } from "./middleware/api.ts";
import { readPathText } from "./middleware/path-parameters.ts";
import { readAs, readCaller } from "./middleware/request.ts";

const table = openTable();
const services = { table, macs: openMacs(table) };

const querySchema = z.strictObject({
  from_turn: z
    .string()
    .regex(/^[1-9]\d{0,9}$/, "must be a turn number, from 1")
    .transform(Number)
    .default(1),
});

export const handler = apiHandler(async (event) => {
  const caller = readCaller(event, "report");
  const { from_turn } = readAs(querySchema, event.queryStringParameters ?? {});
  const interactionId = readPathText(event, "interaction_id");
  return json(await readInteraction(services, caller, interactionId, from_turn));
});
