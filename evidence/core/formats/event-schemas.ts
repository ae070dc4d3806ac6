// The JSON Schema of every event and every message of a webhook, as docs/events.schema.json publishes them.
import * as z from "zod";
import { EVENT_SCHEMAS } from "./events.ts";
import { WEBHOOK_SCHEMAS } from "./webhooks.ts";

/** Events by their `detail-type`, messages by their `type`. */
export const buildEventSchemas = () => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $defs: Object.fromEntries(
    Object.entries({ ...EVENT_SCHEMAS, ...WEBHOOK_SCHEMAS }).map(([name, schema]) => [
      name,
      schemaOf(schema),
    ]),
  ),
});

/** A later version may add members, so a reader must not refuse them. */
function schemaOf(schema: z.ZodType): object {
  const { $schema: _version, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return rest;
}
