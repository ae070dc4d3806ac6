// `npm run hammer`: many callers, readers and faults against the service, and an oracle that judges what it recorded.
// docs/tests.md says what it does and what it can't see.

import { CannotStart } from "./hammer/deployment.ts";
import { HELP, readOptions, WrongOptions } from "./hammer/options.ts";
import { hammer } from "./hammer/run.ts";

const Status = { holds: 0, found: 1, notRun: 2 } as const;

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options !== null) return (await hammer(options)) ? Status.holds : Status.found;
  console.log(HELP);
  return Status.holds;
}

// Every process that this one has started ends with it.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(Status.notRun));

try {
  // Connections that are kept alive would hold the process.
  process.exit(await main());
} catch (error) {
  if (error instanceof WrongOptions) console.error(`${error.message}; --help lists the options`);
  else console.error(error instanceof CannotStart ? error.message : error);
  process.exit(Status.notRun);
}
