// sigstore's timestamp-authority, an RFC 3161 server and client in Go, built through the Go module proxy and run as a
// peer on 127.0.0.1. Its in-memory signer makes keys and a chain of three at each start.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { parseCertificatesPem } from "../../evidence/core/timestamps/x509/pem.ts";
import { again } from "../support/again.ts";
import { freePort, isHere } from "./tools.ts";

const MODULE = "github.com/sigstore/timestamp-authority/v2";
/** The newest that Go 1.25 and 1.26 build. */
const VERSION = "v2.1.3";
const START_MS = 60_000;

/** Kept between runs: to build it takes minutes. */
const FOLDER = join(tmpdir(), `disclosure-receipts-sigstore-${VERSION}`);
const SERVER = join(FOLDER, "timestamp-server");
export const CLIENT = join(FOLDER, "timestamp-cli");

export const hasGo = isHere("go", "version") || existsSync(SERVER);

export type SigstorePeer = {
  readonly url: string;
  /** The TSA's certificate, the intermediate's and the root's, in PEM. */
  readonly chainPem: string;
  readonly root: Uint8Array;
  readonly close: () => void;
};

export const run = promisify(execFile);

/** Builds server and client unless an earlier run did. Throws an Error that says what Go says. */
export async function buildPeer(): Promise<void> {
  if (existsSync(SERVER) && existsSync(CLIENT)) return;
  mkdirSync(FOLDER, { recursive: true });
  const commands = ["timestamp-server", "timestamp-cli"].map((name) => `${MODULE}/cmd/${name}@${VERSION}`);
  await again(() => run("go", ["install", ...commands], { env: { ...process.env, GOBIN: FOLDER } }));
}

export async function startPeer(): Promise<SigstorePeer> {
  const port = await freePort();
  const server = spawn(SERVER, [
    "serve",
    "--host=127.0.0.1",
    `--port=${port}`,
    "--timestamp-signer=memory",
    "--include-chain-in-response",
    // It would ask time servers on the internet.
    "--disable-ntp-monitoring",
  ]);
  const url = `http://127.0.0.1:${port}/api/v1/timestamp`;
  const chainPem = await chainOf(url, server);
  const root = parseCertificatesPem(chainPem).at(-1) ?? new Uint8Array();
  return { url, chainPem, root, close: () => void server.kill() };
}

async function chainOf(url: string, server: ChildProcess): Promise<string> {
  const deadline = performance.now() + START_MS;
  while (server.exitCode === null && performance.now() < deadline) {
    const response = await fetch(`${url}/certchain`).catch(() => null);
    if (response?.ok) return response.text();
    await pause(100);
  }
  server.kill();
  throw new Error("sigstore's timestamp-server did not start");
}
