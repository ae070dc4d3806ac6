// The client on Node: all of index.ts, and the non-blocking mode with its queue on disk.

export * from "./index.ts";
export { type AddOptions, DurableQueue, type QueueClient } from "./queue/durable-queue.ts";
export type { QueuedDisclosure, QueueOptions } from "./queue/queue-options.ts";
