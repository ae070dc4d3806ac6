// DynamoDB on one machine: the dynoxide engine, as a child process that ends with this one.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { DisclosureError } from "../core/errors.ts";
import { listen } from "../server/http-server.ts";

const LOOPBACK = "127.0.0.1";
/** Another process may bind a free port before the engine does. */
const BIND_ATTEMPTS = 5;
const START_POLL_MS = 5;
const START_TIMEOUT_MS = 10_000;

/**
 * Runs the engine for as long as stdin stays open. However this process ends, kill -9 included, the kernel closes its end
 * of the pipe; then the engine gets SIGTERM, and SIGKILL two seconds later, for it waits for open requests without a
 * limit. The shell and its children are a process group of their own, which the last signal ends.
 */
const TETHER = `
umask 077
exec 3<&0 </dev/null
"$@" 3<&- & engine=$!
{ read -r _ <&3; kill -TERM "$engine"; sleep 2; kill -KILL "$engine"; } &
wait "$engine"
trap '' TERM; kill -TERM 0`;

export type DynamoDb = {
  readonly endpoint: string;
  /** Settles with the engine's output when it has ended, for whatever reason. */
  readonly exited: Promise<string>;
  /** Lets open requests finish, for at most two seconds. */
  readonly close: () => Promise<void>;
};

type Engine = { readonly tether: ChildProcess; readonly log: string; readonly exited: Promise<string> };

/** Serves the database `file` on `port`, or on any free one. Throws `misconfigured` if it can't start. */
export async function startDynamoDb(where: { file: string; port?: number }): Promise<DynamoDb> {
  const binary = findEngine();
  for (let attempt = 1; ; attempt++) {
    const port = where.port ?? (await freePort());
    const engine = runEngine(binary, where.file, port);
    const failure = await startFailure(engine);
    if (failure === null) return serving(engine, port);
    const raced = where.port === undefined && failure.toLowerCase().includes("in use");
    if (raced && attempt < BIND_ATTEMPTS) continue;
    throw new DisclosureError("misconfigured", `the local DynamoDB did not start: ${failure}`, where);
  }
}

/** The path of the engine's binary for `platform`. Throws `misconfigured` if `npm ci` installed none. */
export function findEngine(platform = `${process.platform}-${process.arch}`): string {
  try {
    const manifest = createRequire(import.meta.url).resolve(`@dynoxide/${platform}/package.json`);
    return join(dirname(manifest), "dynoxide");
  } catch (error) {
    const message = `no local DynamoDB for ${platform}; set DYNAMODB_ENDPOINT to one that runs, such as DynamoDB Local`;
    throw new DisclosureError("misconfigured", message, { platform }, error);
  }
}

/** `detached` keeps Ctrl-C from the engine, which must run until the last requests are answered. */
function runEngine(binary: string, file: string, port: number): Engine {
  const log = `${file}.log`;
  // A file, for the engine aborts if it can't write its last line, and a pipe would be closed after our death.
  const output = openSync(log, "w", 0o600);
  const command = [binary, "--host", LOOPBACK, "--port", String(port), "--db-path", file];
  const tether = spawn("/bin/sh", ["-c", TETHER, "sh", ...command], {
    detached: true,
    stdio: ["pipe", "ignore", output],
  });
  closeSync(output);
  const exited = once(tether, "exit").then(() => readFileSync(log, "utf8").trim());
  return { tether, log, exited };
}

/** Null once the engine listens. It logs that after it has bound the port, so no other server is mistaken for it. */
async function startFailure({ tether, log, exited }: Engine): Promise<string | null> {
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; await delay(START_POLL_MS)) {
    if (tether.exitCode !== null || tether.signalCode !== null) return exited;
    if (readFileSync(log, "utf8").includes("listening on")) return null;
  }
  tether.stdin?.end();
  return `no answer within ${START_TIMEOUT_MS} ms`;
}

function serving({ tether, exited }: Engine, port: number): DynamoDb {
  const close = async () => {
    tether.stdin?.end();
    await exited;
  };
  return { endpoint: `http://${LOOPBACK}:${port}`, exited, close };
}

async function freePort(): Promise<number> {
  const probe = await listen(() => ({ status: 404 }));
  await probe.close();
  return probe.port;
}
