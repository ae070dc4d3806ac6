// One process of the service: started, killed, frozen, with a clock that its parent moves.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { ClientRole } from "../proxy/messages.ts";
import { LISTENING, type ToClock } from "./messages.ts";
import { endWithUs } from "./parent.ts";

const READY = new RegExp(`"message":"${LISTENING}".*"port":(\\d+)`);
const CLOCK = new URL("./clock.ts", import.meta.url).href;
/** Nobody answers at the discard port. */
const NOWHERE = "http://127.0.0.1:9";

export interface MemberOptions {
  readonly name: string;
  readonly role: ClientRole;
  /** The program's file. */
  readonly program: URL;
  readonly environment: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly onLine: (member: Member, line: string) => void;
}

export class Member {
  readonly #options: MemberOptions;
  readonly #log: WriteStream;
  #child: ChildProcess | null = null;
  #url = NOWHERE;
  /** True while a fault disturbs this process: only one fault does so at a time. */
  isDisturbed = false;
  kills = 0;

  constructor(options: MemberOptions) {
    this.#options = options;
    this.#log = createWriteStream(options.logFile, { flags: "a" });
  }

  get name(): string {
    return this.#options.name;
  }

  get role(): ClientRole {
    return this.#options.role;
  }

  /** The address of the newest process, be it alive or not: callers notice that themselves. */
  get url(): string {
    return this.#url;
  }

  /** Resolves once it serves. Throws where it ends before. */
  async start(): Promise<void> {
    const { program, environment } = this.#options;
    const child = spawn(process.execPath, ["--import", CLOCK, fileURLToPath(program)], {
      env: { ...environment },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    endWithUs(child);
    this.#child = child;
    const ready = Promise.withResolvers<string>();
    child.once("exit", () => ready.reject(new Error(`${this.name} did not start: see its log`)));
    for (const stream of [child.stdout, child.stderr]) {
      if (stream !== null)
        createInterface({ input: stream }).on("line", (line) => this.#hear(line, ready.resolve));
    }
    this.#url = await ready.promise;
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    this.kills++;
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  freeze(): void {
    this.#child?.kill("SIGSTOP");
  }

  thaw(): void {
    this.#child?.kill("SIGCONT");
  }

  moveClock(offsetMs: number): void {
    const message: ToClock = { kind: "clock", offsetMs };
    this.#child?.send(message, () => undefined);
  }

  async stop(): Promise<void> {
    this.thaw();
    await this.kill();
    this.#log.end();
  }

  #hear(line: string, ready: (url: string) => void): void {
    const port = READY.exec(line)?.[1];
    if (port !== undefined) ready(`http://127.0.0.1:${port}`);
    this.#options.onLine(this, line);
    // Metrics are counted, and would be most of the log.
    if (!line.includes('"_aws"')) this.#log.write(`${line}\n`);
  }
}
