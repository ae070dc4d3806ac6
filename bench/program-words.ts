// The words on the command line of a bench's program: `--help` prints how it is called, and a wrong word is refused.
import { type ParseArgsConfig, parseArgs } from "node:util";

/** The exit status of a program whose words can't be understood. */
const USAGE = 2;

/** As Node's `parseArgs`. Ends the program where help is asked for, or a word is wrong. */
export function readProgramWords<const T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  if (process.argv.slice(2).includes("--help")) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    // Node adds advice that is of no use here.
    const [fault = ""] = (error instanceof Error ? error.message : String(error)).split(/\. /);
    return refuseWords(fault);
  }
}

/** Says what is wrong, in one line. Ends the program. */
export function refuseWords(fault: string): never {
  console.error(`${fault}; --help lists the options`);
  process.exit(USAGE);
}
