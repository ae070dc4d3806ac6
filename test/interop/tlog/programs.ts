// The judges: programs around libraries of others, built through the Go module proxy, and Python packages in an
// environment of their own. Kept between runs: to build them takes minutes.
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { again } from "../../support/again.ts";
import { installPackages, programsFolderOf } from "../python-packages.ts";
import { isHere } from "../tools.ts";

const SOURCES = fileURLToPath(new URL("judges", import.meta.url));
const REQUIREMENTS = fileURLToPath(new URL("requirements.txt", import.meta.url));
export const PYTHON_JUDGE = fileURLToPath(new URL("judge.py", import.meta.url));

/** Another folder for other sources, so that no old build judges. */
const GO_FOLDER = join(tmpdir(), `disclosure-receipts-judges-${fingerprintOf(SOURCES)}`);

/** `judge` is ours, around libraries of others; the other programs are theirs. */
export const PROGRAMS = {
  judge: join(GO_FOLDER, "judge"),
  litewitness: join(GO_FOLDER, "litewitness"),
  fsck: join(GO_FOLDER, "fsck"),
  oneshot: join(GO_FOLDER, "posix-oneshot"),
} as const;
export const PYTHON = join(programsFolderOf(REQUIREMENTS), "python");

export const hasGo = isHere("go", "version") || existsSync(PROGRAMS.judge);

const start = promisify(execFile);

/** Throws an Error that says what Go says. */
export async function buildGoJudges(): Promise<void> {
  if (existsSync(GO_FOLDER)) return;
  const building = `${GO_FOLDER}-${process.pid}`;
  mkdirSync(building, { recursive: true });
  cpSync(SOURCES, join(building, "sources"), { recursive: true });
  // The pinned versions and none else; -p 1 leaves a core to the other tests.
  for (const what of [".", "tool"]) {
    const words = ["build", "-p", "1", "-o", building, what];
    await again(() => start("go", words, { cwd: join(building, "sources") }));
  }
  renameSync(building, GO_FOLDER);
}

/** Throws an Error that says what pip says. */
export const installPythonJudges = (): Promise<void> => installPackages(REQUIREMENTS);

/** Returns what the program prints, or `refused: ` and why. A program that comes to no end is killed, and so refuses. */
export function verdictOf(program: string, args: readonly string[]): string {
  try {
    return execFileSync(program, args, { stdio: "pipe", timeout: PATIENCE_MS, encoding: "utf8" });
  } catch (error) {
    const { stderr = "", stdout = "" } = error as { stderr?: string; stdout?: string };
    return `refused: ${stdout}${stderr}`;
  }
}
const PATIENCE_MS = 120_000;

function fingerprintOf(path: string): string {
  const files = statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => join(path, name))
    : [path];
  const hash = createHash("sha256");
  for (const file of files.filter((name) => statSync(name).isFile()).sort()) hash.update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}
