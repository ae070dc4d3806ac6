// A secret of the command line: the text itself or, better, a file with it, for a command line stands in the list of processes.
import { naming } from "../../../evidence/reader/naming.ts";
import { UsageError } from "../command.ts";
import { readText } from "./read-file.ts";

const MAX_SECRET_BYTES = 4_096;

/** Throws `UsageError` where it is missing. */
export async function readSecret(given: string | undefined, option: string): Promise<string> {
  if (given === undefined) throw new UsageError(`${option} is missing: give the key, or @FILE`);
  if (!given.startsWith("@")) return given;
  const file = given.slice(1);
  return naming(file, async () => (await readText(file, MAX_SECRET_BYTES)).trim());
}
