// The parts that all commands have in common: how each is found, reads its arguments, and ends.
import { createRequire } from "node:module";
import { type ParseArgsConfig, parseArgs } from "node:util";
import type { Terminal } from "./output/terminal.ts";

export const PROGRAM = "disclosure-receipts";

/** How a person called this program, for hints that can be pasted. `npm run receipts` sets the variable. */
export const calledAs = (): string =>
  process.env.npm_lifecycle_event === "receipts" ? "npm run -s receipts --" : PROGRAM;

/** Evidence is cited with the program that checked it. The package finds itself by its name, built or not. */
export function programVersion(): string {
  const { version }: { readonly version: string } = createRequire(import.meta.url)(`${PROGRAM}/package.json`);
  return version;
}

/**
 * The exit status is the verdict, so that a script need not read. `holds`: as far as it could be checked.
 * `withReservations`: nothing is wrong, but something that the reader gave belongs to other evidence, or, where the
 * reader asked for all of them, a check that matters could not be made.
 */
export const Exit = { holds: 0, doesNotHold: 1, unreadable: 2, withReservations: 3 } as const;
export type ExitCode = (typeof Exit)[keyof typeof Exit];

export interface Command {
  /** The page that `--help` shows. */
  readonly help: string;
  /** The pages for parts of the command, as in `admin key --help`. */
  readonly topics?: Readonly<Record<string, string>>;
  readonly run: (args: readonly string[], terminal: Terminal) => Promise<ExitCode>;
}

/** The command line itself is wrong. It is reported in one line that names the help page. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

type CommandOptions = NonNullable<ParseArgsConfig["options"]>;

/** Options and positional arguments. Throws `UsageError` for an option that is not in `options`, or has two values. */
export function readArguments<const T extends CommandOptions>(args: readonly string[], options: T) {
  const { tokens, ...read } = parse(args, options);
  const given = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== "option" || token.value === undefined || options[token.name]?.multiple === true)
      continue;
    // One of the two would be ignored, and nobody told which.
    if (given.has(token.name)) throw new UsageError(`${token.rawName} is given twice`);
    given.add(token.name);
  }
  return read;
}

function parse<const T extends CommandOptions>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true, tokens: true });
  } catch (error) {
    const [sentence] = (error instanceof Error ? error.message : "").split(". ");
    throw new UsageError(sentence);
  }
}
