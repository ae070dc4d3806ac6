// Python for the tests of the package: the one that is here, and an environment with the tools, kept between runs.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { hasPython as hasVenv, installPackages, programsFolderOf } from "../../interop/python-packages.ts";
import { isHere } from "../../interop/tools.ts";

export const PACKAGE = fileURLToPath(new URL("../../../clients/python", import.meta.url));
export const SOURCES = join(PACKAGE, "src");
const REQUIREMENTS = fileURLToPath(new URL("requirements.txt", import.meta.url));
const TOOLS = programsFolderOf(REQUIREMENTS);
/** The Python that has the tools. */
export const PYTHON = join(TOOLS, "python");
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

const isRecent = isHere("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 10))");
export const hasPython = hasVenv && isRecent;

const start = promisify(execFile);

/** Null once the tools are installed; else why they are not, in a line. */
export async function whyWithoutTools(): Promise<string | null> {
  if (!hasPython) return "there is no python3 from 3.10 on with venv";
  try {
    await installPackages(REQUIREMENTS);
    return null;
  } catch (error) {
    const { stderr = String(error) } = error as { stderr?: string };
    return `the tools can't be installed: ${stderr.trim().split("\n").at(-1)}`;
  }
}

export interface RunOptions {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** What the program prints. Throws an Error with all that it says. */
export async function run(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const { cwd = PACKAGE, environment = { PYTHONPATH: SOURCES } } = options;
  const env = { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: "1", ...environment };
  try {
    return (await start(program, [...args], { cwd, env, maxBuffer: MAX_OUTPUT_BYTES })).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(" ")}: ${stdout}${stderr}`, { cause: error });
  }
}
