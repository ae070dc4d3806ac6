// The rows as a table, for a terminal and for docs/throughput.md. Pure.
import { isSaturated, type Load, type MeasuredRow, type Row, type Seen } from "./row.ts";

const HEADS = [
  "runtime",
  "chains",
  "load",
  "/s",
  "p50",
  "p99",
  "503",
  "lost races",
  "batch",
  "CPU ms",
  "KMS",
  "WRU",
  "RRU",
  "process",
  "machine",
  "model: /s",
  "p50",
  "p99",
  "503",
  "lost races",
];
/** Columns that hold words, and are set to the left. */
const WORDS = 3;

export function rowsTable(rows: readonly MeasuredRow[]): string {
  const marks = HEADS.map((_, i) => (i === 0 || i === WORDS - 1 ? "---" : "---:"));
  return [HEADS, marks, ...rows.map(cellsOf)].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

export function cellsOf({ row, measured, modelled }: MeasuredRow): string[] {
  const { batch, cpuMsACall, macsACall, writeUnitsACall, readUnitsACall } = measured;
  return [
    runtimeWords(row),
    `${row.chains}`,
    loadWords(row.load),
    ...seenCells(measured),
    ...[batch, cpuMsACall, macsACall, writeUnitsACall, readUnitsACall].map(short),
    `${percent(measured.processBusy)}${isSaturated(measured) ? " \\*" : ""}`,
    percent(measured.machineBusy),
    ...seenCells(modelled),
  ];
}

function runtimeWords({ runtime, processes, slowness, authorityMs }: Row): string {
  return [
    runtime,
    ...(processes === null ? [] : [` × ${processes}`]),
    ...(slowness === 1 ? [] : [`, latencies × ${slowness}`]),
    ...(authorityMs === null ? [] : [", stamped"]),
  ].join("");
}

const loadWords = (load: Load): string =>
  load.kind === "closed" ? `${load.callers} at once` : `${load.perSecond}/s arrive`;

const seenCells = ({ perSecond, p50, p99, unavailable, lostRacesACall }: Seen): string[] => [
  short(perSecond),
  ms(p50),
  ms(p99),
  unavailable === 0 ? "0" : percent(unavailable),
  short(lostRacesACall),
];

const ms = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 0 });
const percent = (share: number): string => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
const short = (value: number): string =>
  value.toLocaleString(
    "en-US",
    value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 2 },
  );
