// How the parts of the service send an event. The bus itself is loaded with the first one: most calls send none.
import type { EventType } from "../../contract/events.ts";
import type { EventDetail } from "../../evidence/core/formats/events.ts";

/** Sends one event. It never throws. */
export type SendEvent = <T extends EventType>(type: T, detail: EventDetail<T>) => Promise<void>;

/** For a deployment that has no bus. */
export const noEvents: SendEvent = async () => {};
