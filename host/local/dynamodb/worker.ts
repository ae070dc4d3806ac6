// The thread that the local DynamoDB runs in. It ends with its process, however that ends.
import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { Where } from "./server.ts";

/** The one message of the thread: where it listens, or why it does not. */
export type Started = { readonly url: string } | { readonly fault: string };

// A thread reads its modules anew. What Node made of them is kept from start to start, which halves the time of one.
enableCompileCache();

async function main(where: Where): Promise<Started> {
  try {
    const { serveDynamoDb } = await import("./server.ts");
    const server = await serveDynamoDb(where);
    // The one message from the process asks for the end.
    parentPort?.once("message", () => void server.close());
    return { url: server.url };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.postMessage(await main(workerData));
