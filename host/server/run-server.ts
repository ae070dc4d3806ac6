// Runs a server of the web runtime until it is asked to stop. Outside of Lambda it needs no variable of Lambda's.
import { resolve } from "node:path";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import type { ApiHandlers } from "./handlers.ts";
import { readSettings } from "./settings.ts";
import { startWebServer } from "./web-server.ts";

const EXIT_FAILURE = 1;

export interface ServerProgram {
  /** Loads the handlers, which read the environment. */
  readonly load: () => Promise<ApiHandlers>;
  /** Called when the last answer was sent. */
  readonly atEnd?: () => Promise<void>;
}

/** Ends the process: with 0 after SIGTERM or SIGINT, with 1 where it can't start. */
export function runServer(program: ServerProgram): void {
  serve(program).catch((error: unknown) => {
    // An error that the operator can put right is one line; any other is a fault of ours and shows where.
    console.error(isDisclosureError(error, "misconfigured") ? error.message : error);
    process.exit(EXIT_FAILURE);
  });
}

async function serve({ load, atEnd }: ServerProgram): Promise<void> {
  const settings = readSettings(process.env);
  findFilesBesideProgram(process.env);
  // A wrong environment ends the process before it listens, so that no request is sent to it.
  const server = await startWebServer(settings, await load());
  console.log(JSON.stringify({ message: "listening", host: settings.host, port: server.port }));
  await signalled();
  await server.close();
  await atEnd?.();
  // The process is ended here: connections to AWS that are kept alive would hold it.
  process.exit(0);
}

/** The variables with names of files that are deployed together with the program. */
const FILE_VARIABLES = ["TSA_CA_FILE", "POLICY_FILE"];

/** A relative name is that of a file which was deployed together with the program, whatever the working folder is. */
function findFilesBesideProgram(environment: NodeJS.ProcessEnv): void {
  for (const variable of FILE_VARIABLES) {
    const name = environment[variable];
    if (name !== undefined) environment[variable] = resolve(import.meta.dirname, name);
  }
}

/** A second signal does not wait. */
function signalled(): Promise<void> {
  const { promise, resolve: stop } = Promise.withResolvers<void>();
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      stop();
      process.once(signal, () => process.exit(EXIT_FAILURE));
    });
  }
  return promise;
}
