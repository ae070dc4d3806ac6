// GET /v1/interactions/{interaction_id}: every receipt of one conversation, as one evidence bundle.
import * as z from "zod";
import { MAX_TURN } from "../contract/limits.ts";
import { describeError, logger } from "../service/logger.ts";
import { openMacs, openTable } from "../service/opening/connections.ts";
import { LayerMemory } from "../service/policy/layer-memory.ts";
import { readInteraction } from "../service/reports/reports.ts";
import { apiHandler, json } from "./middleware/api.ts";
import { readPathText } from "./middleware/path-parameters.ts";
import { readAs, readCaller } from "./middleware/request.ts";

const table = openTable();
const layerMemory = new LayerMemory(table, (error) =>
  logger.error("a layer was left out of a bundle", { failure: describeError(error) }),
);
const services = { table, macs: openMacs(table), layerMemory };

const TURN = `must be a turn, from 1 to ${MAX_TURN}`;

const querySchema = z.strictObject({
  from_turn: z
    .string()
    .regex(/^[1-9]\d{0,9}$/, TURN)
    .transform(Number)
    .pipe(z.int().max(MAX_TURN, TURN))
    .default(1),
});

export const handler = apiHandler(async (event) => {
  const caller = readCaller(event, "report");
  const { from_turn } = readAs(querySchema, event.queryStringParameters ?? {});
  const interactionId = readPathText(event, "interaction_id");
  return json(await readInteraction(services, caller, interactionId, from_turn));
});
