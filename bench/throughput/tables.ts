// The rows as tables, for a terminal and for docs/throughput.md. Pure.
import { table } from "../cost/markdown.ts";
import { isSaturated, type Load, type LoadRow, type Measured, type MeasuredRow, type Seen } from "./row.ts";

export const ROW_HEADS = ["runtime", "chains", "load"];
export const SEEN_HEADS = ["/s", "p50", "p99", "503", "lost races"];
const TAKEN_HEADS = [
  "slower",
  "started",
  "in a transaction",
  "computing ms",
  "KMS",
  "write units",
  "read units",
  "process busy",
  "machine busy",
];

/** The callers' view of the rows, beside the model's. */
export const seenTable = (rows: readonly MeasuredRow[]): string =>
  table(
    [...ROW_HEADS, ...SEEN_HEADS, `model: ${SEEN_HEADS.join(" | ")}`],
    rows.map(({ row, measured, modelled }) => [
      ...rowCells(row),
      ...seenCells(measured),
      ...seenCells(modelled),
    ]),
    SEEN_HEADS.length * 2 + 2,
  );

/** The work behind an attestation, in each row. */
export const takenTable = (rows: readonly MeasuredRow[]): string =>
  table(
    [...ROW_HEADS, ...TAKEN_HEADS],
    rows.map(({ row, measured }) => [...rowCells(row), ...takenCells(measured)]),
    TAKEN_HEADS.length + 2,
  );

/** A row in one line. */
export const lineOf = ({ row, measured, modelled }: MeasuredRow): string =>
  [
    ...rowCells(row),
    ...seenCells(measured),
    "model:",
    ...seenCells(modelled),
    "took:",
    ...takenCells(measured),
  ].join("  ");

export const rowCells = (row: LoadRow): string[] => [runtimeWords(row), `${row.chains}`, loadWords(row.load)];

function runtimeWords({ runtime, processes, slowness, authorityMs }: LoadRow): string {
  return [
    runtime,
    ...(processes === null ? [] : [` × ${processes}`]),
    ...(slowness === 1 ? [] : [`, latencies × ${slowness}`]),
    ...(authorityMs === null ? [] : [", stamped"]),
  ].join("");
}

const loadWords = (load: Load): string =>
  load.kind === "closed" ? `${load.callers} at once` : `${load.perSecond}/s arrive`;

export const seenCells = ({ perSecond, p50, p99, unavailable, lostRacesACall }: Seen): string[] => [
  short(perSecond),
  whole(p50),
  whole(p99),
  unavailable === 0 ? "0" : percent(unavailable),
  short(lostRacesACall),
];

const takenCells = (measured: Measured): string[] => [
  `× ${measured.slowMotion}`,
  `${measured.environments}`,
  short(measured.batch),
  short(measured.cpuMsACall),
  short(measured.macsACall),
  short(measured.writeUnitsACall),
  short(measured.readUnitsACall),
  `${percent(measured.processBusy)}${isSaturated(measured) ? " \\*" : ""}`,
  percent(measured.machineBusy),
];

const whole = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 0 });
const percent = (share: number): string => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
const short = (value: number): string =>
  value.toLocaleString(
    "en-US",
    value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 2 },
  );
