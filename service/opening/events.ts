// Opens the event bus from the environment. Without EVENT_BUS no event is sent.

import { eventVariables } from "../../contract/environment-variables.ts";
import type { EventType } from "../../contract/events.ts";
import type { Meter } from "../../contract/metric-names.ts";
import { readEnvironment } from "../environment.ts";
import { noEvents, type SendEvent } from "../events/send-event.ts";
import { TIMEOUTS } from "./connections.ts";

/** With the time-outs of a connection: no run is held up for longer than some seconds. */
const ATTEMPTS = 2;

/** The client is loaded with the first event: most calls send none. */
export function openEvents(meter: Meter, onFailure: (type: EventType, error: unknown) => void): SendEvent {
  const { EVENT_BUS: bus, POWERTOOLS_SERVICE_NAME: deployment } = readEnvironment(eventVariables);
  if (bus === undefined) return noEvents;
  let opening: Promise<SendEvent> | undefined;
  const open = async (): Promise<SendEvent> => {
    const [{ EventBridgeClient }, { sendEventsTo }] = await Promise.all([
      import("@aws-sdk/client-eventbridge"),
      import("../events/event-bus.ts"),
    ]);
    const client = new EventBridgeClient({ requestHandler: TIMEOUTS, maxAttempts: ATTEMPTS });
    return sendEventsTo({ client, bus, deployment, meter, onFailure });
  };
  return async (type, detail) => {
    opening ??= open();
    return (await opening)(type, detail);
  };
}
