// The parts of docs/throughput.md that a run decides. Pure.
import { table } from "../cost/markdown.ts";
import { AIMS, isSameRow, RACING_ROWS, SHOWN_ROWS } from "./grid.ts";
import { type ModelledService, modelRow } from "./model.ts";
import { LATENCY_MS, type LoadRow, type MeasuredRow } from "./row.ts";
import { ROW_HEADS, rowCells, SEEN_HEADS, seenCells, seenTable, takenTable } from "./tables.ts";

/** A run, and where and when it was. */
export interface MeasuredRun {
  readonly machine: string;
  readonly day: string;
  readonly commit: string;
  readonly seed: number;
  readonly warmUpMs: number;
  readonly measuredMs: number;
  readonly rows: readonly MeasuredRow[];
}

/** Each part by its name in the page. */
export const renderThroughput = (run: MeasuredRun): Record<string, string> => ({
  run: describeRun(run),
  aims: AIMS.map((aim) => judge(aim, run.rows)).join("\n"),
  seen: seenTable(shownRows(run.rows)),
  taken: takenTable(shownRows(run.rows)),
  choices: choicesTable(run.seed),
});

/** Two choices of the code, each by itself, where it matters most. */
const CHOICES: readonly (readonly [string, LoadRow, Partial<ModelledService>])[] = [
  ["a second's memory of the head", RACING_ROWS.functions, { remembersMs: 1_000 }],
  ["the head read each time", RACING_ROWS.functions, { remembersMs: 0 }],
  ["back-offs of up to 400 ms", RACING_ROWS.web, { backoffCapMs: 400 }],
  ["back-offs of up to 40 ms", RACING_ROWS.web, { backoffCapMs: 40 }],
];
const UNCHOSEN: ModelledService = { macsInAppend: 0, macsInAnswer: 0, backoffCapMs: 400, remembersMs: 0 };

/** By the model alone, with codes that need no request. */
function choicesTable(seed: number): string {
  const rows = CHOICES.map(([words, row, choice]) => [
    words,
    ...rowCells(row),
    ...seenCells(modelRow(row, { ...UNCHOSEN, ...choice }, seed)),
  ]);
  return table(["by the model", ...ROW_HEADS, ...SEEN_HEADS], rows, ROW_HEADS.length + SEEN_HEADS.length);
}

/** The page shows some of the rows; the file has them all. */
const shownRows = (rows: readonly MeasuredRow[]): MeasuredRow[] =>
  SHOWN_ROWS.flatMap((shown) => rows.find(({ row }) => isSameRow(row, shown)) ?? []);

function describeRun({ machine, day, commit, seed, warmUpMs, measuredMs, rows }: MeasuredRun): string {
  const { read, kms, transaction } = LATENCY_MS;
  return [
    `Measured on ${day} at commit \`${commit}\`, seed ${seed}, on ${machine}: ${rows.length} rows of`,
    `${measuredMs / 1_000} s each, after ${warmUpMs / 1_000} s that warm up. Reads of the table take ${read} ms on average,`,
    `KMS ${kms} ms, a transaction ${transaction} ms.`,
  ].join("\n");
}

function judge({ row, perSecond, p99 }: (typeof AIMS)[number], rows: readonly MeasuredRow[]): string {
  const words =
    row.runtime === "web"
      ? "one web process, one chain"
      : `functions, ${row.chains} chains (the standard plan)`;
  const aim = `${words}: ${perSecond}/s at a p99 below ${p99} ms, no 503`;
  const found = rows.find((measured) => isSameRow(measured.row, row));
  if (found === undefined) return `- ${aim}: not measured.`;
  const { measured } = found;
  const isMet = measured.p99 < p99 && measured.unavailable === 0;
  const shown = `${measured.perSecond.toFixed(0)}/s, p99 ${measured.p99.toFixed(0)} ms, ${(100 * measured.unavailable).toFixed(1)} % 503`;
  return `- ${aim}: **${isMet ? "met" : "missed"}**, ${shown}.`;
}
