// `node bench/web-start.ts`: from the start of a server's process until it answers, the median of several starts.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "../build/bundle.ts";
import { HEALTH_PATH, MIN_ORIGIN_SECRET_LENGTH, WEB_SERVERS } from "../contract/web-runtime.ts";
import { machine, medianOf } from "./measuring.ts";

const STARTS = 10;
const MAX_MS = 400;

/** Enough for a server to start; nothing but its health is asked. */
const ENVIRONMENT = {
  HOST: "127.0.0.1",
  PORT: "0",
  ORIGIN_SECRET: "0".repeat(MIN_ORIGIN_SECRET_LENGTH),
  AWS_REGION: "eu-central-1",
  TABLE_NAME: "table",
  MAC_KEY_ID: "key",
  ROOTS_BUCKET: "bucket",
  TSA_URLS: "http://tsa.example",
};

const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-bench-"));
const anchors = join(folder, "trust-anchors", "digicert-trusted-root-g4.pem");

/** From the start of the process to the first answer, in milliseconds. */
async function startMs(file: string): Promise<number> {
  const start = performance.now();
  const server = spawn(process.execPath, [file], {
    env: { ...ENVIRONMENT, TSA_CA_FILE: anchors },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(server.stdout, "data");
  const { port } = JSON.parse(String(line)) as { port: number };
  await (await fetch(`http://127.0.0.1:${port}${HEALTH_PATH}`)).text();
  const ms = performance.now() - start;
  server.kill("SIGKILL");
  await once(server, "exit");
  return ms;
}

await bundle(folder);
console.log(`${machine()}, median of ${STARTS} fresh processes`);
console.log(`limit: ${MAX_MS} ms\n`);
for (const name of WEB_SERVERS) {
  const file = join(folder, "server", name, "index.js");
  const all: number[] = [];
  while (all.length < STARTS) all.push(await startMs(file));
  const [ms, kb] = [medianOf(all), statSync(file).size / 1_000];
  const verdict = ms < MAX_MS ? "" : "  over";
  console.log(`${name.padEnd(18)}${kb.toFixed(0).padStart(5)} KB${ms.toFixed(0).padStart(6)} ms${verdict}`);
}
rmSync(folder, { recursive: true });
