// Tells all that waits in this process that the process is about to end. Only a server of many requests says so.
import { setMaxListeners } from "node:events";

const controller = new AbortController();
// Every call that waits listens to it.
setMaxListeners(0, controller.signal);

/** Aborted once what can be answered must be answered now. */
export const stopping: AbortSignal = controller.signal;

export const beginStopping = (): void => controller.abort();
