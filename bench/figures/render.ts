// Results as tables, for a terminal and for docs/performance.md. Pure.
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

/** A value without its unit; a dash where there is none. */
const numberOf = (value: Cell, unit: Unit): string => {
  if (value === null) return "–";
  if (typeof value === "string") return value;
  return digits(unit === "share" ? value * PERCENT : value);
};

const withUnit = (value: Cell, unit: Unit): string =>
  value === null ? "–" : numberOf(value, unit) + SUFFIXES[unit];

const headOf = ({ name, unit }: Column): string =>
  unit === "text" || unit === "count" ? name : `${name},${SUFFIXES[unit].replace("/", " /")}`;

/** The parts of a result that a page shows, columns and figures by their places: all, where nothing is said. */
export interface ShownPart {
  readonly columns?: readonly number[];
  readonly isShown?: (row: readonly Cell[]) => boolean;
  readonly figures?: readonly number[];
}

/** Texts stand on the left, numbers on the right. */
function renderRows(
  { columns, rows }: Pick<BenchResult, "columns" | "rows">,
  { columns: places = columns.map((_, i) => i), isShown = () => true }: ShownPart = {},
): string {
  const shown = places.map((i) => ({ i, column: columns[i] ?? { name: "", unit: "text" as const } }));
  const marks = shown.map(({ column }) => (column.unit === "text" ? "---" : "---:"));
  const cells = rows
    .filter(isShown)
    .map((row) => shown.map(({ i, column }) => numberOf(row[i] ?? null, column.unit)));
  const lines = [shown.map(({ column }) => headOf(column)), marks, ...cells];
  return lines.map((line) => `| ${line.join(" | ")} |`).join("\n");
}

/** The verdict on a figure's aim, in words. */
function judgement(figure: Figure): string {
  const { aim, unit } = figure;
  if (aim === undefined) return "";
  const isMet = meetsAim(figure);
  const [sign, bound] = "atMost" in aim ? ["≤", aim.atMost] : ["≥", aim.atLeast];
  const verdict = isMet === null ? "not measured" : isMet ? "met" : "missed";
  return ` (aim: ${sign} ${withUnit(bound, unit)}: **${verdict}**)`;
}

const renderFigure = (figure: Figure): string =>
  `- ${figure.what}: **${withUnit(figure.value, figure.unit)}**${judgement(figure)}`;

/** The day, the commit and the load of the machine in the minute before. */
export function describeRun({ machine, commit, date, isQuick }: BenchResult): string {
  const day = date.slice(0, "2026-11-23".length);
  const load = machine?.load === undefined ? "" : `, load ${digits(machine.load)}`;
  const short = isQuick ? " **A short run: its figures count for nothing.**" : "";
  return `${day}, commit \`${commit}\`${load}.${short}`;
}

/** A result as a block of a page: when it was run, its rows, its figures, what was skipped. */
export function renderResult(result: BenchResult, shown: ShownPart = {}): string {
  const { columns, figures } = shown;
  const parts = [
    describeRun(result),
    columns?.length === 0 ? "" : renderRows(result, shown),
    result.figures
      .filter((_, i) => figures?.includes(i) ?? true)
      .map(renderFigure)
      .join("\n"),
    (result.skipped ?? []).map((reason) => `- Skipped: ${reason}`).join("\n"),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}
