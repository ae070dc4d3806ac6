// `node bench/throughput.ts`: how many attestations the two runtimes take, with DynamoDB and KMS as far away as in a
// Region.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fillPage } from "./cost/markdown.ts";
import { machine } from "./measuring.ts";
import { readProgramWords } from "./program-words.ts";
import { MODELLED } from "./throughput/environment.ts";
import { AIMS, isSameRow, SOME_ROWS, slow, WHOLE_ROWS } from "./throughput/grid.ts";
import { measureRows } from "./throughput/measure.ts";
import { modelRow } from "./throughput/model.ts";
import { type MeasuredRun, renderThroughput } from "./throughput/page.ts";
import type { MeasuredRow } from "./throughput/row.ts";
import { lineOf } from "./throughput/tables.ts";

const RESULTS = new URL("./throughput/results.json", import.meta.url);
const PAGE = new URL("../docs/throughput.md", import.meta.url);
const SEED = "14";
const SOME = { slowMotion: 3, maxSlowMotion: 6, warmUpMs: 500, measuredMs: 2_500 };
const WHOLE = { slowMotion: 3, maxSlowMotion: 6, warmUpMs: 500, measuredMs: 3_000 };

const RUNS = {
  some: { pace: SOME, rows: SOME_ROWS },
  whole: { pace: WHOLE, rows: WHOLE_ROWS },
  aims: { pace: { ...WHOLE, slowMotion: 16, maxSlowMotion: 32 }, rows: AIMS.map(({ row }) => row) },
};

const HELP = `Usage: npx node bench/throughput.ts [options]

  --whole      the whole grid; without it, some rows of it
  --aims       the two rows that have an aim, and no other
  --slow       with twice the latencies
  --seed N     what is by chance follows from it (${SEED})
  --json FILE  keeps the rows
  --write      keeps the result, and renews docs/throughput.md
  --render     renews the page alone, with what the model says now`;

const { values: wanted } = readProgramWords(HELP, {
  options: {
    whole: { type: "boolean" },
    aims: { type: "boolean" },
    slow: { type: "boolean" },
    seed: { type: "string", default: SEED },
    json: { type: "string" },
    write: { type: "boolean" },
    render: { type: "boolean" },
  },
});

const measured = wanted.render ? readRun() : await measureRun();
// Two rows alone take the place of these rows, and the others stay.
const run =
  wanted.aims && wanted.write ? { ...measured, rows: replaced(readRun().rows, measured.rows) } : measured;
const parts = renderThroughput(run);
for (const part of Object.values(parts)) console.log(`\n${part}`);
const text = `${JSON.stringify(run, null, 2)}\n`;
if (wanted.json !== undefined) writeFileSync(wanted.json, text);
if (wanted.write || wanted.render) {
  writeFileSync(RESULTS, text);
  writeFileSync(PAGE, fillPage(readFileSync(PAGE, "utf8"), parts));
}

function readRun(): MeasuredRun {
  const kept: MeasuredRun = JSON.parse(readFileSync(RESULTS, "utf8"));
  const rows = kept.rows.map(({ row, measured }, index) => ({
    row,
    measured,
    modelled: modelRow(row, MODELLED[row.runtime], kept.seed + index),
  }));
  return { ...kept, rows };
}

async function measureRun(): Promise<MeasuredRun> {
  const whole = wanted.whole ? "whole" : "some";
  const { pace, rows } = RUNS[wanted.aims ? "aims" : whole];
  const about = {
    machine: machine(),
    day: new Date().toISOString().slice(0, "2026-11-22".length),
    commit: commit(),
    seed: Number(wanted.seed),
    ...pace,
  };
  console.log(Object.values(about).join(", "));
  const wantedRows = rows.map((row) => (wanted.slow ? slow(row) : row));
  const print = (row: MeasuredRow) => console.log(lineOf(row));
  return { ...about, rows: await measureRows({ ...about, rows: wantedRows }, print) };
}

function replaced(kept: readonly MeasuredRow[], by: readonly MeasuredRow[]): MeasuredRow[] {
  return kept.map((row) => by.find((newer) => isSameRow(newer.row, row.row)) ?? row);
}

/** The commit that ran, and whether the service differs from it. */
function commit(): string {
  const git = (...words: string[]): string => execFileSync("git", words, { encoding: "utf8" }).trim();
  const changes = git("status", "--porcelain", "--", "core", "service");
  return `${git("rev-parse", "--short", "HEAD")}${changes === "" ? "" : " and changes"}`;
}
