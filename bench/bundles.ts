// `node bench/bundles.ts`: the size of each handler's bundle, and how long a fresh process takes to load it.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "../build/bundle.ts";
import { HANDLERS } from "../contract/routes.ts";
import { machine, medianOf } from "./measuring.ts";

const RUNS = 15;
const MAX_KB = 640;
const MAX_MS = 120;

const LOAD = `const start = performance.now();
require(process.argv[1]);
console.log(performance.now() - start);`;

/** Enough for every handler to load; nothing is called. */
const ENVIRONMENT = {
  AWS_REGION: "eu-central-1",
  TABLE_NAME: "table",
  MAC_KEY_ID: "key",
  ROOTS_BUCKET: "bucket",
  BILLS_BUCKET: "bucket",
  PLANS: "{}",
  TSA_URLS: "http://tsa.example",
  TSA_CA_FILE: "digicert-trusted-root-g4.pem",
};

const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-bench-"));

function loadMs(file: string): number {
  const options = { cwd: join(folder, "trust-anchors"), env: ENVIRONMENT, encoding: "utf8" } as const;
  return Number(execFileSync(process.execPath, ["-e", LOAD, file], options));
}

await bundle(folder);
console.log(`${machine()}, median of ${RUNS} fresh processes`);
console.log(`limits: ${MAX_KB} KB, ${MAX_MS} ms\n`);
for (const handler of HANDLERS) {
  const file = join(folder, "lambda", handler, "index.js");
  const ms = medianOf(Array.from({ length: RUNS }, () => loadMs(file)));
  const kb = statSync(file).size / 1_000;
  const verdict = kb < MAX_KB && ms < MAX_MS ? "" : "  over";
  console.log(
    `${handler.padEnd(18)}${kb.toFixed(0).padStart(5)} KB${ms.toFixed(0).padStart(6)} ms${verdict}`,
  );
}
rmSync(folder, { recursive: true });
