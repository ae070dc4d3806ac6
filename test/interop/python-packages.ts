// Python packages of others, each list in an environment of its own, kept between runs. uv installs them: it takes seconds
// where pip takes minutes.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { again } from "../support/again.ts";
import { isHere } from "./tools.ts";

const UV_VERSION = "0.13.9";

export const hasPython = isHere("python3", "-m", "venv", "--help");

const start = promisify(execFile);

/** Where the programs of the packages that a file of requirements lists are, once they are installed. */
export function programsFolderOf(requirements: string): string {
  const fingerprint = createHash("sha256").update(readFileSync(requirements)).digest("hex").slice(0, 16);
  return join(tmpdir(), `disclosure-receipts-judges-python-${fingerprint}`, "bin");
}

/** Installs what is missing. Several may do so at a time: uv locks the environment. Throws an Error that says why not. */
export async function installPackages(requirements: string): Promise<void> {
  const programs = programsFolderOf(requirements);
  const tools = await installUv();
  const [python, base] = [join(programs, "python"), join(tools, "python")];
  const venv = ["venv", "--quiet", "--allow-existing", "--python", base, join(programs, "..")];
  const uv = ["pip", "install", "--quiet", "--python", python, "--requirement", requirements];
  const pip = ["-m", "pip", "--python", python, "install", "--quiet", "--requirement", requirements];
  if (!existsSync(python)) await start(join(tools, "uv"), venv);
  try {
    await start(join(tools, "uv"), uv);
  } catch {
    // uv does not read where pip was told to look, such as a company's own index.
    await again(() => start(base, pip));
  }
}

/** The folder of uv and of a Python that has pip. */
async function installUv(): Promise<string> {
  const folder = join(tmpdir(), `disclosure-receipts-uv-${UV_VERSION}`);
  if (existsSync(folder)) return join(folder, "bin");
  const made = mkdtempSync(`${folder}-`);
  try {
    await start("python3", ["-m", "venv", made]);
    const words = ["-m", "pip", "install", "--quiet", `uv==${UV_VERSION}`];
    await again(() => start(join(made, "bin", "python"), words));
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    // Another process may have been first.
    if (!existsSync(folder)) throw error;
  }
  return join(folder, "bin");
}
