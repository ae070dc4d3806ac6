// A server that the tests start and that can't outlive them: with everything that it starts, it ends when they do.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { listen } from "../../host/server/http-server.ts";

const POLL_MS = 50;
const START_TIMEOUT_MS = 180_000;

/**
 * Runs a program for as long as stdin stays open. However the tests end, kill -9 included, the kernel closes their end
 * of that pipe. The shell and all that is started below it are one process group, which the last signal empties.
 */
const TETHER = `
exec 3<&0 </dev/null
"$@" 3<&- & program=$!
{ read -r _ <&3; kill -KILL 0; } &
wait "$program"
kill -KILL 0`;

export interface DaemonOptions {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where its output goes. */
  readonly log: string;
  /** Asked again and again until it answers. */
  readonly url: string;
}

export type Close = () => Promise<void>;

/** Waits until the program answers. Throws, with what it said, if it ends before that or doesn't come to it. */
export async function startDaemon({ command, cwd, environment, log, url }: DaemonOptions): Promise<Close> {
  const output = openSync(log, "w");
  const tether = spawn("/bin/sh", ["-c", TETHER, "sh", ...command], {
    cwd,
    env: environment,
    detached: true,
    stdio: ["pipe", output, output],
  });
  closeSync(output);
  const exited = once(tether, "exit");
  const close = async () => {
    tether.stdin?.end();
    await exited;
  };
  // Before the folder goes that it writes to.
  process.prependOnceListener("exit", () => endGroup(tether));
  for (const deadline = Date.now() + START_TIMEOUT_MS; !(await answers(url)); await delay(POLL_MS)) {
    if (tether.exitCode === null && tether.signalCode === null && Date.now() < deadline) continue;
    await close();
    throw new Error(`${command[0]} did not start:\n${readFileSync(log, "utf8")}`);
  }
  return close;
}

function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, "SIGKILL");
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

/** A port that nobody listens on now. */
export async function freePort(): Promise<number> {
  const probe = await listen(() => ({ status: 404 }));
  await probe.close();
  return probe.port;
}
