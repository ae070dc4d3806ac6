// `verify` of a file that proves that a log signed two histories: it confirms it under the reader's own key of the log.
import { parseJson } from "../../core/canonical-json.ts";
import { isDisclosureError } from "../../core/errors.ts";
import type { Checkpoint } from "../../core/log/checkpoint.ts";
import { FORK_FORMAT, type Fork, forkSchema, type VerifiedFork, verifyFork } from "../../core/log/fork.ts";
import type { TlogPolicy } from "../../core/log/tlog-policy.ts";
import { formatNode } from "../../core/merkle/hash.ts";
import { count } from "../../core/verify/count.ts";
import { isObject } from "../../reader/evidence.ts";
import { MAX_FILE_BYTES } from "../../reader/limits.ts";
import { parseAs } from "../../reader/metachain.ts";
import { Exit, type ExitCode, UsageError } from "../command.ts";
import { isRereadable, readBytes } from "../files/read-file.ts";
import { bold, red, type Terminal } from "../output/terminal.ts";

/** The fork in the only file of these; null where they are anything else. Throws `malformed` for a fork that is damaged. */
export async function readForkFile(files: readonly string[]): Promise<Fork | null> {
  const [file, ...more] = files;
  if (file === undefined || more.length > 0 || !(await isRereadable(file))) return null;
  try {
    const bytes = await readBytes(file, MAX_FILE_BYTES);
    const value = parseJson(bytes);
    return isObject(value) && value.format === FORK_FORMAT ? parseAs(forkSchema, bytes, "the fork") : null;
  } catch (error) {
    // A file of another kind is read as evidence, and its faults are told there.
    if (isDisclosureError(error) && !error.message.startsWith("the fork")) return null;
    throw error;
  }
}

export interface GivenFork {
  readonly file: string;
  readonly fork: Fork;
}

/** The sentence of a fork among other files. Throws as `reportFork` does. */
export async function describeFork(fork: Fork, policy: TlogPolicy | null): Promise<string> {
  const { origin, smaller, larger } = await confirm(fork, policy);
  return `the log ${origin} signed two histories that contradict each other, of ${smaller.size} and of ${count(larger.size, "entry", "entries")}`;
}

export interface ForkReport {
  readonly file: string;
  readonly policy: TlogPolicy | null;
  readonly isJson: boolean;
}

/** Throws `proof_invalid` or `malformed` where the file does not prove it. */
export async function reportFork(
  fork: Fork,
  { file, policy, isJson }: ForkReport,
  terminal: Terminal,
): Promise<ExitCode> {
  const shown = await confirm(fork, policy);
  if (isJson) terminal.printJson({ verdict: "does_not_hold", fork: jsonFork(shown) });
  else printFork(file, shown, terminal);
  return Exit.doesNotHold;
}

function confirm(fork: Fork, policy: TlogPolicy | null): Promise<VerifiedFork> {
  if (policy !== null) return verifyFork(fork, policy);
  throw new UsageError(
    "a proof of a fork is confirmed under the log's key: --log-key VKEY, or --policy FILE",
  );
}

function printFork(file: string, { origin, smaller, larger }: VerifiedFork, terminal: Terminal): void {
  terminal.print(bold(file), ": ", red(`The log ${origin} signed two histories that contradict each other.`));
  for (const { size, root } of [smaller, larger])
    terminal.print(`  ${count(size, "entry", "entries")} with the root ${formatNode(root)}`);
  terminal.print(
    "Both signatures hold under the key that you gave, and no log that only grows has both trees. So this file proves to everybody who has that key that the log is not one and the same for all. Keep it, and hand it on.",
  );
}

const jsonFork = ({ origin, smaller, larger }: VerifiedFork) => ({
  origin,
  checkpoints: [smaller, larger].map(({ size, root }: Checkpoint) => ({
    tree_size: size,
    root: formatNode(root),
  })),
});
