// A secret of the command line: the text itself or, better, a file with it, for a command line stands in the list of processes.
import { CHAINS_PATH } from "../../contract/public-paths.ts";
import { naming } from "../../reader/naming.ts";
import { UsageError } from "../command.ts";
import { readText } from "./read-file.ts";

const MAX_SECRET_BYTES = 4_096;

/** `address` is the service that takes it. Throws `UsageError` where it is missing. */
export async function readSecret(
  given: string | undefined,
  option: string,
  address: string,
): Promise<string> {
  if (given === undefined) throw new UsageError(`${option} is missing: ${address}${CHAINS_PATH} takes a key`);
  if (!given.startsWith("@")) return given;
  const file = given.slice(1);
  return naming(file, async () => (await readText(file, MAX_SECRET_BYTES)).trim());
}
