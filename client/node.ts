// The client on Node: all of index.ts, and the non-blocking mode with its queue on disk.
export { DurableQueue, type QueueClient } from "./durable-queue.ts";
export * from "./index.ts";
export type { QueuedDisclosure, QueueOptions } from "./queue-options.ts";
