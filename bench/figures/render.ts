// Results as tables, for a terminal and for pages. Pure.
import type { BenchEntry } from "./catalogue.ts";
import { type BenchResult, type Cell, type Column, type Figure, meetsAim, type Unit } from "./result.ts";

const PERCENT = 100;
const SUFFIXES: Readonly<Record<Unit, string>> = {
  text: "",
  count: "",
  s: " s",
  ms: " ms",
  µs: " µs",
  "/s": "/s",
  KB: " KB",
  MB: " MB",
  share: " %",
  times: " ×",
};
/** From here on digits behind the point say nothing. */
const WHOLE_FROM = 100;

/** Three digits that mean something, or whole. */
const digits = (value: number): string =>
  value.toLocaleString(
    "en-US",
    Math.abs(value) >= WHOLE_FROM ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 },
  );

/** A value with its unit; a dash where there is none. */
export function formatValue(value: Cell, unit: Unit): string {
  if (value === null) return "–";
  if (typeof value === "string") return value;
  return `${digits(unit === "share" ? value * PERCENT : value)}${SUFFIXES[unit]}`;
}

const headOf = ({ name, unit }: Column): string =>
  unit === "text" || unit === "count" ? name : `${name},${SUFFIXES[unit].replace("/", " /")}`;

const cellOf = (value: Cell, { unit }: Column): string =>
  typeof value === "number"
    ? formatValue(value, unit).slice(0, -SUFFIXES[unit].length || undefined)
    : (value ?? "–");

/** Texts stand on the left, numbers on the right. */
export function renderRows({ columns, rows }: Pick<BenchResult, "columns" | "rows">): string {
  const marks = columns.map(({ unit }) => (unit === "text" ? "---" : "---:"));
  const cells = rows.map((row) => columns.map((column, i) => cellOf(row[i] ?? null, column)));
  const lines = [columns.map(headOf), marks, ...cells];
  return lines.map((line) => `| ${line.join(" | ")} |`).join("\n");
}

/** The verdict on a figure's aim, in words. */
export function judgement(figure: Figure): string {
  const { aim, unit } = figure;
  const isMet = meetsAim(figure);
  if (aim === undefined) return "";
  const [words, bound] = "atMost" in aim ? ["at most", aim.atMost] : ["at least", aim.atLeast];
  const verdict = isMet === null ? "not measured" : isMet ? "met" : "missed";
  return ` (aim: ${words} ${formatValue(bound, unit)}: **${verdict}**)`;
}

export const renderFigure = (figure: Figure): string =>
  `- ${figure.what}: **${formatValue(figure.value, figure.unit)}**${judgement(figure)}`;

export function describeRun(result: BenchResult): string {
  const { machine, versions, commit, seed, date, seconds, isQuick } = result;
  const day = date.slice(0, "2026-11-23".length);
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    `${isQuick ? "**A short run, whose figures count for nothing**, taken" : "Taken"} on ${day} at commit \`${commit}\` in`,
    `${digits(seconds)} s, seed ${seed}, receipts of format ${result.receiptFormat}, on ${machine.processor} × ${machine.cores},`,
    `${machine.memoryGb} GB, ${machine.system}, load ${digits(machine.load)} before it; ${named.join(", ")}.`,
  ].join("\n");
}

/** A result as a block of a page: how it was run, its rows, its figures, what was skipped. */
export function renderResult(result: BenchResult): string {
  const parts = [
    describeRun(result),
    renderRows(result),
    result.figures.map(renderFigure).join("\n"),
    result.skipped.map((reason) => `- Skipped: ${reason}`).join("\n"),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** All results, one section each, for bench/results/README.md. */
export function renderAll(benches: readonly BenchEntry[], results: readonly BenchResult[]): string {
  return benches
    .map(({ name, title, how }) => {
      const result = results.find((one) => one.name === name);
      const taken = result === undefined ? "Not measured yet." : renderResult(result);
      return `## ${name}: ${title}\n\n${how}\n\n${taken}`;
    })
    .join("\n\n");
}
