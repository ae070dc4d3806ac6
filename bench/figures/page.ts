// Fills the tables of docs/performance.md from the kept results. What the tables leave out is in bench/results/.
import { readFileSync, writeFileSync } from "node:fs";
import { costTables } from "../cost/tables.ts";
import { fillPage } from "../markdown.ts";
import list from "../prices.json" with { type: "json" };
import { BENCHES } from "./catalogue.ts";
import { renderResult, type ShownPart } from "./render.ts";
import { type BenchResult, readResult } from "./result.ts";

const PAGE = new URL("../../docs/performance.md", import.meta.url);

/** Rows of `throughput` on the page, by the words of their first three cells. */
const THROUGHPUT_ROWS = new Set([
  "functions/1/10/s arrive",
  "functions/1/50/s arrive",
  "functions/1/64 at once",
  "functions/8/50/s arrive",
  "functions/8/64 at once",
  "functions/128/64 at once",
  "web × 1/1/64 at once",
  "web × 1/1/250/s arrive",
  "web × 2/1/64 at once",
  "web × 4/1/64 at once",
  "functions, stamped/8/50/s arrive",
]);
const COUNTS = new Set([
  "requests to DynamoDB, KMS, S3",
  "write units",
  "read units",
  "bytes kept",
  "log bytes",
]);
const FEW_CALLERS = new Set([1, 64]);
const CALLERS = new Set([1, 64, 256]);
/** Benches of single parts, which no reader of the page waits for. */
const LEFT_OUT = new Set(["hashing", "engine"]);
const MINUTES = new Set([5, 30, 60]);
const NO_TABLE = { columns: [] };

/** Results that the page shows in part. The files have all of them. */
const SHOWN: Readonly<Record<string, ShownPart>> = {
  attest: {
    columns: [0, 1, 2, 3, 4, 5, 8],
    isShown: ([, callers]) => FEW_CALLERS.has(Number(callers)),
    figures: [0, 2, 3],
  },
  hour: { columns: [0, 1, 2, 3, 4, 5], isShown: ([minutes]) => MINUTES.has(Number(minutes)), figures: [0] },
  tessera: { isShown: ([, callers]) => CALLERS.has(Number(callers)), figures: [] },
  throughput: {
    columns: [0, 1, 2, 3, 4, 5, 7],
    isShown: (row) => THROUGHPUT_ROWS.has(row.slice(0, 3).join("/")),
    figures: [0, 1, 2, 3],
  },
  cost: { isShown: ([name]) => COUNTS.has(String(name)) },
  proof: { columns: [0, 2, 4, 6], figures: [0] },
  seal: { columns: [0, 1, 2, 3, 9], figures: [0, 1] },
  million: { columns: [0, 2, 3], isShown: ([, receipts]) => receipts === 1_000_000, figures: [0, 1, 3, 4] },
  verify: { columns: [0, 2], figures: [0] },
  timestamps: { columns: [0, 1, 3, 4], figures: [] },
  "log-walk": NO_TABLE,
  history: NO_TABLE,
  "worst-evidence": NO_TABLE,
  client: NO_TABLE,
  starts: NO_TABLE,
};

export function renderPage(): void {
  const results = BENCHES.filter(({ name }) => !LEFT_OUT.has(name)).map(({ name }) => resultOf(name));
  const tables = results.map((result) => [result.name, renderResult(result, SHOWN[result.name])]);
  const costs = costTables(list.prices, resultOf("cost"), resultOf("throughput"));
  const page = fillPage(readFileSync(PAGE, "utf8"), { ...Object.fromEntries(tables), ...costs });
  writeFileSync(PAGE, page);
}

function resultOf(name: string): BenchResult {
  const result = readResult(name);
  if (result === null) throw new Error(`the bench ${name} was never measured`);
  return result;
}
