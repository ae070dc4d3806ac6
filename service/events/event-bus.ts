// Puts events on an EventBridge bus. Nobody waits for their success: an event that is lost is logged and counted, and what
// it told of stands in the ledger and in the metrics.
import { type EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";
import { EVENT_SOURCE, type EventType } from "../../contract/events.ts";
import type { Meter } from "../../contract/metric-names.ts";
import { EVENT_SCHEMAS } from "../../evidence/core/formats/events.ts";
import type { SendEvent } from "./send-event.ts";

export interface EventBusServices {
  readonly client: Pick<EventBridgeClient, "send">;
  /** The bus, by name or ARN. */
  readonly bus: string;
  /** The deployment's name, which every event carries. */
  readonly deployment: string;
  readonly meter: Meter;
  readonly onFailure: (type: EventType, error: unknown) => void;
}

export const sendEventsTo =
  ({ client, bus, deployment, meter, onFailure }: EventBusServices): SendEvent =>
  async (type, detail) => {
    try {
      const Detail = JSON.stringify(EVENT_SCHEMAS[type].parse({ deployment, ...detail }));
      const entry = { EventBusName: bus, Source: EVENT_SOURCE, DetailType: type, Detail };
      const { Entries = [] } = await client.send(new PutEventsCommand({ Entries: [entry] }));
      // The call succeeds even where the bus took nothing.
      const refused = Entries.find(({ ErrorCode }) => ErrorCode !== undefined);
      if (refused !== undefined) throw Object.assign(new Error(), { name: refused.ErrorCode });
    } catch (error) {
      meter("eventFailures", 1);
      onFailure(type, error);
    }
  };
