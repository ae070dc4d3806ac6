// `node bench/cost.ts`: the costs of a deployment, from operations counted in a real run and AWS's list prices.
import { readFileSync, writeFileSync } from "node:fs";
import { fillPage } from "./cost/markdown.ts";
import { measure } from "./cost/scenarios.ts";
import { type CountedRun, renderTables } from "./cost/tables.ts";
import { machine } from "./measuring.ts";
import list from "./prices.json" with { type: "json" };
import { readProgramWords } from "./program-words.ts";
import type { MeasuredRun } from "./throughput/page.ts";

const COUNTS = new URL("./cost/counts.json", import.meta.url);
/** The rows of the bench of throughput, for in a counted run nobody races. */
const ROWS = new URL("./throughput/results.json", import.meta.url);
const PAGE = new URL("../docs/cost.md", import.meta.url);

const HELP = `Usage: npx node bench/cost.ts [options]

Prints the tables of docs/cost.md.

  --measure  counts anew what a run asks of AWS, and keeps the counts
  --write    renews the tables in the page`;

const { values: wanted } = readProgramWords(HELP, {
  options: { measure: { type: "boolean" }, write: { type: "boolean" } },
});

if (wanted.measure) {
  const run: CountedRun = {
    day: new Date().toISOString().slice(0, "2026-11-21".length),
    node: process.version,
    counts: await measure(),
  };
  writeFileSync(COUNTS, `${JSON.stringify(run, null, 2)}\n`);
}
const run: CountedRun = JSON.parse(readFileSync(COUNTS, "utf8"));
const rows: MeasuredRun = JSON.parse(readFileSync(ROWS, "utf8"));
const tables = renderTables(list.prices, run, rows);
console.log(`${machine()}; counted ${run.day}`);
for (const [name, table] of Object.entries(tables)) console.log(`\n${name}\n${table}`);
if (wanted.write) writeFileSync(PAGE, fillPage(readFileSync(PAGE, "utf8"), tables));
