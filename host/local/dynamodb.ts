// DynamoDB on one machine: an engine on one SQLite file, in a thread of this process.
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { DisclosureError } from "../../evidence/core/errors.ts";
import type { Where } from "./dynamodb/server.ts";
import type { Started } from "./dynamodb/worker.ts";

/** The heap of the thread. A request and its answer have some 16 MB at most, and the items are in the file. */
const HEAP = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 };
/** Its source, or what `npm run local` built of it. */
const THREAD = new URL(`./dynamodb/worker${extname(import.meta.url)}`, import.meta.url);

export interface DynamoDb {
  readonly endpoint: string;
  /** Settles with the reason when the engine has ended. */
  readonly exited: Promise<string>;
  /** Lets open requests finish, for at most two seconds. */
  readonly close: () => Promise<void>;
}

/** Serves the database `file` on `port`, or on any free one. Throws `misconfigured` if it can't start. */
export async function startDynamoDb(where: Where): Promise<DynamoDb> {
  const worker = new Worker(THREAD, { workerData: { ...where }, execArgv: [], resourceLimits: HEAP });
  const exited = exitOf(worker);
  const started = await Promise.race([startOf(worker), exited.then((fault) => ({ fault }))]);
  if ("url" in started) {
    const close = async () => {
      worker.postMessage("close");
      await exited;
    };
    return { endpoint: started.url, exited, close };
  }
  await worker.terminate();
  throw new DisclosureError("misconfigured", `the local DynamoDB did not start: ${started.fault}`, {
    file: where.file,
  });
}

function startOf(worker: Worker): Promise<Started> {
  const { promise, resolve } = Promise.withResolvers<Started>();
  worker.once("message", resolve);
  return promise;
}

/** An error that nobody catches ends the thread, and not this process: whoever started it is told. */
function exitOf(worker: Worker): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  worker.once("error", (error) => resolve(`the local DynamoDB failed: ${error}`));
  worker.once("exit", () => resolve("the local DynamoDB ended"));
  return promise;
}
