// The local stack as a child process of a test file, on a folder and a port of its own. What is still running or
// lying about when the file's last test has ended, however it ended, is killed and removed.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { COMPILED } from "./compiled.ts";
import { PATIENCE_MS } from "./patience.ts";

const PROGRAM = fileURLToPath(new URL("../../bin/local.ts", import.meta.url));
const READY = /^ready +(\S+)$[\s\S]*^API key +(\S+)$[\s\S]*?^(curl .*)$/m;
const POLL_MS = 10;

export interface StackOptions {
  /** A new folder if none is given. */
  readonly dataDir?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly nodeArguments?: readonly string[];
  /** A process group for itself, as a shell gives to each of its jobs. */
  readonly ownGroup?: boolean;
}

export interface Exit {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const running = new Set<ChildProcess>();
const folders: string[] = [];

afterAll(async () => {
  const children = [...running];
  for (const child of children) child.kill("SIGKILL");
  await Promise.all(children.map(ended));
  await Promise.all(folders.map(removeFolder));
});
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** A folder that is removed when the file's tests have ended. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-"));
  folders.push(folder);
  return folder;
}

/** Runs the program until it ends by itself. */
export async function runToEnd(options: StackOptions = {}): Promise<Exit> {
  const program = new Program(options);
  return { code: await program.exited, ...program.output };
}

/** Starts the stack and waits until it is ready. Throws, with what it said, if it ends before that. */
export async function startLocalStack(options: StackOptions = {}): Promise<LocalStack> {
  const dataDir = options.dataDir ?? newFolder();
  const program = new Program({ ...options, dataDir });
  const [url = "", apiKey = "", curl = ""] = await program.introduction();
  return new LocalStack(program, { dataDir, url, apiKey, curl });
}

export class LocalStack {
  readonly dataDir: string;
  readonly url: string;
  readonly apiKey: string;
  /** The call that the stack proposes to its user. */
  readonly curl: string;
  readonly #program: Program;

  constructor(program: Program, told: { dataDir: string; url: string; apiKey: string; curl: string }) {
    this.#program = program;
    this.dataDir = told.dataDir;
    this.url = told.url;
    this.apiKey = told.apiKey;
    this.curl = told.curl;
  }

  /** Everything that was written to standard output and standard error. */
  get output(): string {
    const { stdout, stderr } = this.#program.output;
    return stdout + stderr;
  }

  /** Asks it to stop, and waits until it has. */
  async stop(signal: "SIGTERM" | "SIGINT" = "SIGTERM"): Promise<Exit> {
    this.#program.child.kill(signal);
    return { code: await this.#program.exited, ...this.#program.output };
  }

  /** kill -9 of the one process, of its whole group, or of everything that belongs to the stack. */
  async kill(what: "process" | "group" | "everything" = "process"): Promise<void> {
    const { child, exited } = this.#program;
    const engine = what === "everything" ? processesOf(this.dataDir) : [];
    if (what === "group") process.kill(-Number(child.pid), "SIGKILL");
    else child.kill("SIGKILL");
    for (const pid of engine) killIfThere(pid);
    await exited;
  }
}

class Program {
  readonly child: ChildProcess;
  /** The exit code; null if a signal ended it. */
  readonly exited: Promise<number | null>;
  #stdout = "";
  #stderr = "";

  constructor({
    dataDir = newFolder(),
    environment = {},
    nodeArguments = [],
    ownGroup = false,
  }: StackOptions) {
    // Nothing of the tests' own environment but the way to programs: a stack must not depend on more.
    const env = { PATH: process.env.PATH, PORT: "0", DATA_DIR: dataDir, ...COMPILED, ...environment };
    this.child = spawn(process.execPath, [...nodeArguments, PROGRAM], {
      env,
      detached: ownGroup,
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(this.child);
    this.child.stdout?.on("data", (chunk) => {
      this.#stdout += chunk;
    });
    this.child.stderr?.on("data", (chunk) => {
      this.#stderr += chunk;
    });
    this.exited = once(this.child, "close").then(() => {
      running.delete(this.child);
      return this.child.exitCode;
    });
  }

  get output(): { stdout: string; stderr: string } {
    return { stdout: this.#stdout, stderr: this.#stderr };
  }

  async introduction(): Promise<string[]> {
    for (;;) {
      const match = READY.exec(this.#stdout);
      if (match !== null) return match.slice(1);
      if (!running.has(this.child))
        throw new Error(`the stack did not start:\n${this.#stdout}${this.#stderr}`);
      await delay(POLL_MS);
    }
  }
}

/** The process ids of the engine and its tether: Linux shows each command line, with the folder in it, under /proc. */
export function processesOf(dataDir: string): number[] {
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && commandOf(pid).some((word) => word.startsWith(`${dataDir}/`)))
    .map(Number);
}

function commandOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}

/** Waits until nothing of the stack on `dataDir` runs any more. Throws, naming what does, where it does not end. */
export async function nothingLeft(dataDir: string): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await delay(POLL_MS)) {
    const left = processesOf(dataDir);
    if (left.length === 0) return;
    if (Date.now() > deadline) throw new Error(`still running: ${left.join(", ")}`);
  }
}

async function removeFolder(folder: string): Promise<void> {
  await nothingLeft(folder).catch(() => processesOf(folder).forEach(killIfThere));
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}
