// The rows that the bench runs, in some twenty minutes.
import type { Load, LoadRow, Runtime } from "./row.ts";

const STANDARD_CHAINS = 8;
const MANY_CHAINS = 128;
const AUTHORITY_MS = 150;
const SLOW = 2;

interface Shape {
  readonly runtime: Runtime;
  readonly processes: number | null;
}
const FUNCTIONS: Shape = { runtime: "functions", processes: null };
const web = (processes: number): Shape => ({ runtime: "web", processes });

const closed = (callers: number): Load => ({ kind: "closed", callers });
const open = (perSecond: number): Load => ({ kind: "open", perSecond });

const rowsOf = (shape: Shape, chains: number, ...loads: readonly Load[]): LoadRow[] =>
  loads.map((load) => ({ ...shape, chains, load, slowness: 1, authorityMs: null }));

/** The project's own aims, each a row with its limit. */
export const AIMS = [
  { row: only(rowsOf(web(1), 1, open(250))), p99: 300 },
  { row: only(rowsOf(FUNCTIONS, STANDARD_CHAINS, open(50))), p99: 400 },
];

/** Where processes race: the standard plan at its rate, and two web processes on one chain. */
export const RACING_ROWS = {
  functions: only(rowsOf(FUNCTIONS, STANDARD_CHAINS, open(50))),
  web: only(rowsOf(web(2), 1, closed(64))),
};

const stamped = (row: LoadRow): LoadRow => ({ ...row, authorityMs: AUTHORITY_MS });
const slow = (row: LoadRow): LoadRow => ({ ...row, slowness: SLOW });

const STAMPED = [rowsOf(FUNCTIONS, STANDARD_CHAINS, open(50)), rowsOf(web(1), 1, open(50), closed(64))]
  .flat()
  .map(stamped);
const SLOW_ROWS = AIMS.map(({ row }) => slow(row));

const FEW_AND_MANY = [closed(1), closed(8), closed(64)];
const RATES = [open(10), open(20), open(30), open(50)];

export const WHOLE_ROWS: readonly LoadRow[] = [
  ...[1, STANDARD_CHAINS, MANY_CHAINS].flatMap((chains) => [
    ...[FUNCTIONS, web(1)].flatMap((shape) => rowsOf(shape, chains, ...FEW_AND_MANY, ...RATES)),
    ...[web(2), web(4)].flatMap((shape) => rowsOf(shape, chains, closed(8), closed(64), open(50))),
  ]),
  ...[web(1), web(2), web(4)].flatMap((shape) => rowsOf(shape, 1, open(100), open(250))),
  ...STAMPED,
  ...SLOW_ROWS,
];

export const isSameRow = (a: LoadRow, b: LoadRow): boolean => JSON.stringify(a) === JSON.stringify(b);

function only(rows: readonly LoadRow[]): LoadRow {
  const [row] = rows;
  if (row === undefined) throw new Error("there is no row");
  return row;
}
