// `node bench/throughput.ts`: how many attestations the two runtimes take, with DynamoDB and KMS as far away as in a
// Region. --whole runs the whole grid, --slow doubles the latencies; --json FILE keeps the rows, --write also renews
// docs/throughput.md, and --render does that alone.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { fillPage } from "./cost/markdown.ts";
import { machine } from "./measuring.ts";
import { measureRows } from "./throughput/measure.ts";
import { type MeasuredRun, renderThroughput } from "./throughput/page.ts";
import type { MeasuredRow } from "./throughput/row.ts";
import { SOME_ROWS, slow, WHOLE_ROWS } from "./throughput/rows.ts";
import { lineOf } from "./throughput/tables.ts";

const RESULTS = new URL("./throughput/results.json", import.meta.url);
const PAGE = new URL("../docs/throughput.md", import.meta.url);
const SEED = "14";
const SOME = { slowMotion: 3, warmUpMs: 500, measuredMs: 2_500 };
const WHOLE = { slowMotion: 6, warmUpMs: 500, measuredMs: 4_000 };

const { values: wanted } = parseArgs({
  options: {
    whole: { type: "boolean" },
    slow: { type: "boolean" },
    seed: { type: "string", default: SEED },
    json: { type: "string" },
    write: { type: "boolean" },
    render: { type: "boolean" },
  },
});

const run = wanted.render ? readRun() : await measureRun();
const parts = renderThroughput(run);
for (const part of Object.values(parts)) console.log(`\n${part}`);
const text = `${JSON.stringify(run, null, 2)}\n`;
if (wanted.json !== undefined) writeFileSync(wanted.json, text);
if (wanted.write) writeFileSync(RESULTS, text);
if (wanted.write || wanted.render) writeFileSync(PAGE, fillPage(readFileSync(PAGE, "utf8"), parts));

function readRun(): MeasuredRun {
  return JSON.parse(readFileSync(RESULTS, "utf8"));
}

async function measureRun(): Promise<MeasuredRun> {
  const about = {
    machine: machine(),
    day: new Date().toISOString().slice(0, "2026-11-22".length),
    commit: commit(),
    seed: Number(wanted.seed),
    ...(wanted.whole ? WHOLE : SOME),
  };
  console.log(Object.values(about).join(", "));
  const rows = (wanted.whole ? WHOLE_ROWS : SOME_ROWS).map((row) => (wanted.slow ? slow(row) : row));
  const print = (row: MeasuredRow) => console.log(lineOf(row));
  return { ...about, rows: await measureRows({ ...about, rows }, print) };
}

/** The commit that ran, and whether the service differs from it. */
function commit(): string {
  const git = (...words: string[]): string => execFileSync("git", words, { encoding: "utf8" }).trim();
  const changes = git("status", "--porcelain", "--", "core", "service");
  return `${git("rev-parse", "--short", "HEAD")}${changes === "" ? "" : " and changes"}`;
}
