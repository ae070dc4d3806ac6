// DynamoDB on one machine: the dynoxide engine as a child process that can't outlive this one.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { DisclosureError } from "../core/errors.ts";
import { listen } from "./http-server.ts";

const LOOPBACK = "127.0.0.1";
/** A free port may be taken by someone else before the engine binds it. */
const BIND_ATTEMPTS = 5;
const START_POLL_MS = 5;
const START_TIMEOUT_MS = 10_000;

/**
 * Runs the engine for as long as stdin stays open. However we end, kill -9 included, the kernel closes our end
 * of that pipe, and the engine is asked to stop, then made to: it waits for requests under way without bound.
 * The shell and all it starts are a process group of their own, which the last signal empties.
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
  /** Settles when the engine has ended, asked to or not, with what it said. */
  readonly exited: Promise<string>;
  /** Lets requests under way finish, for at most two seconds. */
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

/** The path of the engine's binary for `platform`. Throws `misconfigured` if `npm ci` brought none. */
export function findEngine(platform = `${process.platform}-${process.arch}`): string {
  try {
    const manifest = createRequire(import.meta.url).resolve(`@dynoxide/${platform}/package.json`);
    return join(dirname(manifest), "dynoxide");
  } catch (error) {
    const message = `no local DynamoDB for ${platform}; set DYNAMODB_ENDPOINT to one that runs, such as DynamoDB Local`;
    throw new DisclosureError("misconfigured", message, { platform }, error);
  }
}

/** `detached` keeps Ctrl-C from reaching the engine: it has to outlast the requests that we still answer. */
function runEngine(binary: string, file: string, port: number): Engine {
  const log = `${file}.log`;
  // Not a pipe: the engine aborts when it can't write its last line, which after our death it couldn't.
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

/** Null once the engine listens. It says so after it has bound the port, so no other server is mistaken for it. */
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
