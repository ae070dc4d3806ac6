// The local stack as a child process of a test file, on a folder and a port of its own. What is still running or
// lying about when the file's last test has ended, however it ended, is killed and removed.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { COMPILED } from "./compiled.ts";

const PROGRAM = fileURLToPath(new URL("../../bin/local.ts", import.meta.url));
const READY = /^ready +(\S+)$[\s\S]*^API key +(\S+)$[\s\S]*?^(curl .*)$/m;
const POLL_MS = 10;
/** The stack's own authority answers; when, is a question of the machine. Tests of authorities have the product's limit. */
const PATIENT = { TSA_INLINE_BUDGET_MS: "20000" };

export interface StackOptions {
  /** A new folder if none is given. */
  readonly dataDir?: string;
  readonly environment?: Readonly<Record<string, string>>;
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
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
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

  /** kill -9 of the one process that there is. */
  async kill(): Promise<void> {
    this.#program.child.kill("SIGKILL");
    await this.#program.exited;
  }
}

class Program {
  readonly child: ChildProcess;
  /** The exit code; null if a signal ended it. It comes when nothing holds the output any more, no process of its own either. */
  readonly exited: Promise<number | null>;
  #stdout = "";
  #stderr = "";

  constructor({ dataDir = newFolder(), environment = {} }: StackOptions) {
    // Nothing of the tests' own environment but the way to programs: a stack must not depend on more.
    const patience = "TSA_URLS" in environment ? {} : PATIENT;
    const env = {
      PATH: process.env.PATH,
      PORT: "0",
      DATA_DIR: dataDir,
      ...COMPILED,
      ...patience,
      ...environment,
    };
    this.child = spawn(process.execPath, [PROGRAM], {
      env,
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

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}
