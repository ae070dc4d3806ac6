// How many attestations the two runtimes take, with DynamoDB and KMS as far away as in a Region; beside each row what a model
// of the design says.
import { MODELLED } from "../../throughput/environment.ts";
import { AIMS, isSameRow, RACING_ROWS, WHOLE_ROWS } from "../../throughput/grid.ts";
import { measureRows } from "../../throughput/measure.ts";
import { type ModelledService, modelRow } from "../../throughput/model.ts";
import type { Load, LoadRow, MeasuredRow, Seen } from "../../throughput/row.ts";
import { type Cell, columnsOf, type Figure, figureOf, type Measure } from "../result.ts";

const PACES = {
  whole: { slowMotion: 3, maxSlowMotion: 6, warmUpMs: 500, measuredMs: 3_000 },
  short: { slowMotion: 3, maxSlowMotion: 3, warmUpMs: 200, measuredMs: 800 },
};

export const measure: Measure = async ({ isQuick, seed, progress }) => {
  const wanted = isQuick ? AIMS.map(({ row }) => row) : WHOLE_ROWS;
  const pace = isQuick ? PACES.short : PACES.whole;
  const modelOf = (row: LoadRow, rowSeed: number): Seen => modelRow(row, MODELLED[row.runtime], rowSeed);
  const rows: MeasuredRow[] = [];
  await measureRows({ ...pace, rows: wanted, seed, modelOf }, (row) => {
    rows.push(row);
    progress(`${namesOf(row.row).join(", ")}: ${row.measured.perSecond.toFixed(0)}/s`);
  });
  return {
    columns: COLUMNS,
    rows: rows.map(cellsOf),
    figures: [
      ...AIMS.flatMap((aim) => figuresOf(aim, rows)),
      ...CHOICES.map((choice) => choose(choice, seed)),
    ],
  };
};

const COLUMNS = columnsOf(
  "runtime: text",
  "chains: count",
  "load: text",
  "attestations: /s",
  "p50: ms",
  "p99: ms",
  "answered 503: share",
  "lost races: count",
  "model: /s",
  "model's p50: ms",
  "model's p99: ms",
  "model's 503: share",
  "model's lost races: count",
  "slower than life: times",
  "environments: count",
  "in a transaction: count",
  "computing: ms",
  "requests to KMS: count",
  "write units: count",
  "read units: count",
  "busiest process: share",
  "machine: share",
);

const loadWords = (load: Load): string =>
  load.kind === "closed" ? `${load.callers} at once` : `${load.perSecond}/s arrive`;

function namesOf({ runtime, processes, slowness, authorityMs, chains, load }: LoadRow): Cell[] {
  const words = [
    runtime,
    ...(processes === null ? [] : [` × ${processes}`]),
    ...(slowness === 1 ? [] : [`, latencies × ${slowness}`]),
    ...(authorityMs === null ? [] : [", stamped"]),
  ];
  return [words.join(""), chains, loadWords(load)];
}

const seenCells = ({ perSecond, p50, p99, unavailable, lostRacesACall }: Seen): Cell[] => [
  perSecond,
  p50,
  p99,
  unavailable,
  lostRacesACall,
];

const cellsOf = ({ row, measured, modelled }: MeasuredRow): Cell[] => [
  ...namesOf(row),
  ...seenCells(measured),
  ...seenCells(modelled),
  measured.slowMotion,
  measured.environments,
  measured.batch,
  measured.cpuMsACall,
  measured.macsACall,
  measured.writeUnitsACall,
  measured.readUnitsACall,
  measured.processBusy,
  measured.machineBusy,
];

function figuresOf({ row, p99 }: (typeof AIMS)[number], rows: readonly MeasuredRow[]): Figure[] {
  const [runtime, chains, load] = namesOf(row);
  const words = `${runtime}, ${chains === 1 ? "one chain" : `${chains} chains`}, ${load}`;
  const measured = rows.find((one) => isSameRow(one.row, row))?.measured;
  return [
    figureOf(`${words}, p99`, measured?.p99, "ms", { atMost: p99 }),
    figureOf(`${words}, answered 503`, measured?.unavailable, "share", { atMost: 0 }),
  ];
}

/** Two choices of the code, each by itself, where it matters most. */
const CHOICES: readonly (readonly [string, LoadRow, Partial<ModelledService>])[] = [
  ["if each trusted its memory of the head for a second", RACING_ROWS.functions, { remembersMs: 1_000 }],
  ["with the head read each time", RACING_ROWS.functions, { remembersMs: 0 }],
  ["with back-offs of up to 400 ms", RACING_ROWS.web, { backoffCapMs: 400 }],
  ["with back-offs of up to 40 ms", RACING_ROWS.web, { backoffCapMs: 40 }],
];
const UNCHOSEN: ModelledService = { macsInAppend: 0, macsInAnswer: 0, backoffCapMs: 400, remembersMs: 0 };

/** By the model alone, with codes that need no request. */
function choose([words, row, choice]: (typeof CHOICES)[number], seed: number): Figure {
  const [runtime, chains, load] = namesOf(row);
  const { p99 } = modelRow(row, { ...UNCHOSEN, ...choice }, seed);
  return figureOf(`by the model, ${runtime}, chains: ${chains}, ${load}, ${words}, p99`, p99, "ms");
}
