// The size of each bundle as it is deployed, and how long a fresh process takes: a function until it is loaded, a server of
// the web runtime until it answers.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "../../../build/bundle.ts";
import { AUTHORIZER_HANDLER, HANDLERS, ROUTES } from "../../../contract/routes.ts";
import { HEALTH_PATH, MIN_ORIGIN_SECRET_LENGTH, WEB_SERVERS } from "../../../contract/web-runtime.ts";
import { medianOf } from "../../measuring.ts";
import { type Cell, columnsOf, type Figure, figureOf, type Measure } from "../result.ts";

const STARTS = { whole: 15, short: 1 };
const BYTES_PER_KB = 1_000;
/** The project's own targets. */
const MOST_KB = 640;
const MOST_LOAD_MS = 120;
const MOST_ANSWER_MS = 400;
/** A caller waits for these. The others run by a schedule, or at a deployment. */
const WAITED_FOR = new Set<string>([...ROUTES.map(({ handler }) => handler), AUTHORIZER_HANDLER]);
const ANCHOR = "digicert-trusted-root-g4.pem";

const ERROR_LINE = /^\w*Error.{0,300}/m;

const LOAD = `const start = performance.now();
require(process.argv[1]);
console.log(performance.now() - start);`;

/** Enough for every handler to load, and for a server to start; nothing is called but a server's health. */
const ENVIRONMENT = {
  AWS_REGION: "eu-central-1",
  TABLE_NAME: "table",
  MAC_KEY_ID: "key",
  ROOTS_BUCKET: "bucket",
  BILLS_BUCKET: "bucket",
  PLANS: "{}",
  LOG_KEY_ID: "key",
  LOG_ORIGIN: "receipts.example.com/v1/metachain",
  TSA_URLS: "http://tsa.example",
};

export const measure: Measure = async ({ isQuick, progress }) => {
  const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-starts-"));
  const anchors = join(folder, "trust-anchors");
  const count = isQuick ? STARTS.short : STARTS.whole;
  try {
    await bundle(folder);
    const rows: Cell[][] = [];
    for (const name of HANDLERS) {
      progress(name);
      const file = join(folder, "lambda", name, "index.js");
      const all = Array.from({ length: count }, () => loadMs(file, anchors));
      rows.push(["function", name, kbOf(file), medianOf(all)]);
    }
    for (const name of WEB_SERVERS) {
      progress(name);
      const file = join(folder, "server", name, "index.js");
      const all: number[] = [];
      while (all.length < count) all.push(await answerMs(file, anchors));
      rows.push(["web server", name, kbOf(file), medianOf(all)]);
    }
    return { columns: COLUMNS, rows, figures: figuresOf(rows) };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const COLUMNS = columnsOf("runs as: text", "bundle: text", "size: KB", "ready after: ms");

const kbOf = (file: string): number => statSync(file).size / BYTES_PER_KB;

function loadMs(file: string, cwd: string): number {
  const env = { ...ENVIRONMENT, TSA_CA_FILE: ANCHOR };
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", LOAD, file], {
    cwd,
    env,
    encoding: "utf8",
  });
  // A bundle's own lines are too long to be shown.
  if (status !== 0) throw new Error(`${file} does not load: ${ERROR_LINE.exec(stderr)?.[0]}`);
  return Number(stdout);
}

/** From the start of the process to the first answer, in milliseconds. */
async function answerMs(file: string, anchors: string): Promise<number> {
  const start = performance.now();
  const secret = { HOST: "127.0.0.1", PORT: "0", ORIGIN_SECRET: "0".repeat(MIN_ORIGIN_SECRET_LENGTH) };
  const server = spawn(process.execPath, [file], {
    env: { ...ENVIRONMENT, ...secret, TSA_CA_FILE: join(anchors, ANCHOR) },
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

function figuresOf(rows: readonly Cell[][]): Figure[] {
  const most = (kind: string, column: number, counts: (name: string) => boolean = () => true): number =>
    Math.max(
      ...rows
        .filter(([runsAs, name]) => runsAs === kind && counts(String(name)))
        .map((row) => Number(row[column])),
    );
  const isWaitedFor = (name: string): boolean => WAITED_FOR.has(name);
  const [KB, MS] = [2, 3];
  const [size, load] = [most("function", KB, isWaitedFor), most("function", MS, isWaitedFor)];
  return [
    figureOf("the largest function that a caller waits for", size, "KB", { atMost: MOST_KB }),
    figureOf("the slowest function that a caller waits for, loaded", load, "ms", { atMost: MOST_LOAD_MS }),
    figureOf("the slowest of all functions, loaded", most("function", MS), "ms"),
    figureOf("the slowest web server, answering", most("web server", MS), "ms", { atMost: MOST_ANSWER_MS }),
  ];
}
