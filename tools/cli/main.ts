// The command line: finds the command, runs it, and turns whatever it throws into a line and an exit status.
import { isDisclosureError } from "../../evidence/core/errors.ts";
import {
  type Command,
  calledAs,
  Exit,
  type ExitCode,
  PROGRAM,
  programVersion,
  UsageError,
} from "./command.ts";
import { commands } from "./command-list.ts";
import { bold, type Terminal } from "./output/terminal.ts";

const HELP = new Set(["--help", "-h", "help"]);
const VERSION = new Set(["--version", "-V"]);
const OPTIONS_END = "--";

export async function main(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name, ...rest] = args;
  try {
    return await run(name, rest, terminal);
  } catch (error) {
    for (const line of messageOf(error).split("\n")) terminal.note(bold(`${PROGRAM}: `), line);
    if (error instanceof UsageError) terminal.note(`Try: ${calledAs()} ${await helpFor(args)}--help`);
    return Exit.unreadable;
  }
}

async function run(name: string | undefined, args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  if (name === undefined) throw new UsageError("a command is missing");
  if (HELP.has(name) && args[0] === undefined) return printOverview(terminal);
  if (VERSION.has(name)) return printVersion(terminal);
  const [wanted = "", ...rest] = HELP.has(name) ? args : [name, ...args];
  const { command } = await entryOf(wanted).load();
  if (!HELP.has(name) && !asksForHelp(args)) return command.run(args, terminal);
  terminal.printOwn(helpOf(command, rest));
  return Exit.holds;
}

/** The page of the part that is named, or else of the whole command. */
function helpOf({ help, topics = {} }: Command, [topic = ""]: readonly string[]): string {
  return (Object.hasOwn(topics, topic) ? topics[topic] : undefined) ?? help;
}

// `--help` is read here once, so that it is there for every command.
const asksForHelp = (args: readonly string[]): boolean => {
  const end = args.indexOf(OPTIONS_END);
  const options = end === -1 ? args : args.slice(0, end);
  return options.includes("--help") || options.includes("-h");
};

function entryOf(name = ""): (typeof commands)[string] {
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry !== undefined) return entry;
  throw new UsageError(`there is no command ${name}; there are ${Object.keys(commands).join(", ")}`);
}

/** The words before `--help` of the narrowest page about what was called. */
async function helpFor([name = "", part = ""]: readonly string[]): Promise<string> {
  if (!Object.hasOwn(commands, name)) return "";
  const { topics = {} } = (await entryOf(name).load()).command;
  return Object.hasOwn(topics, part) ? `${name} ${part} ` : `${name} `;
}

function printOverview(terminal: Terminal): ExitCode {
  const rows = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`);
  terminal.printOwn(`Usage: ${PROGRAM} COMMAND …

Checks disclosure receipts without a key, an account, or trust in their issuer.

${rows.join("\n")}

${PROGRAM} COMMAND --help says more about each, and
${PROGRAM} --version which version this is.

Exit status: 0 nothing is wrong, 1 something does not hold, 2 something could
not be read, or the command line is wrong, 3 nothing is wrong, but something
that you gave belongs to other evidence, or, with --strict, a check that matters
could not be made. NO_COLOR turns colours off.`);
  return Exit.holds;
}

function printVersion(terminal: Terminal): ExitCode {
  terminal.print(`${PROGRAM} ${programVersion()}`);
  return Exit.holds;
}

/** An error that a person can put right is one line; any other is a fault of this program, and shows where. */
function messageOf(error: unknown): string {
  if (error instanceof UsageError || isDisclosureError(error) || isSystemError(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** A full disk, or a folder that may not be written: Node's message names the call and the file. */
const isSystemError = (error: unknown): error is Error => error instanceof Error && "syscall" in error;
