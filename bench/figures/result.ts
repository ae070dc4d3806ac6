// The result of a bench: what was measured, where, when and by which program. The shapes of bench/results/*.json.
import * as z from "zod";

/** "share" is shown in percent, "times" as a factor. */
export const UNITS = ["text", "count", "s", "ms", "µs", "/s", "KB", "MB", "share", "times"] as const;
export type Unit = (typeof UNITS)[number];

const cell = z.union([z.string(), z.number(), z.null()]);
const columnSchema = z.strictObject({ name: z.string(), unit: z.enum(UNITS) });

/** One number of a run that a page or an aim names. Those in "share" and "times" compare two rows of the same run. */
const figureSchema = z.strictObject({
  /** By this name a page quotes it. */
  key: z.string().regex(/^[a-z0-9-]+$/),
  what: z.string(),
  value: z.number().nullable(),
  unit: z.enum(UNITS),
  /** The project's own target. */
  aim: z.union([z.strictObject({ atMost: z.number() }), z.strictObject({ atLeast: z.number() })]).optional(),
});

const measuredSchema = z.strictObject({
  columns: z.array(columnSchema),
  rows: z.array(z.array(cell)),
  figures: z.array(figureSchema),
  /** Everything that could not be measured, with the reason. */
  skipped: z.array(z.string()),
  /** The versions of others' programs that took part. */
  versions: z.record(z.string(), z.string()),
});

export const resultSchema = measuredSchema.extend({
  name: z.string(),
  /** A short run shows that a bench works. Its figures count for nothing. */
  isQuick: z.boolean(),
  /** RFC 3339. */
  date: z.string(),
  seconds: z.number(),
  machine: z.strictObject({
    processor: z.string(),
    cores: z.int(),
    memoryGb: z.number(),
    system: z.string(),
    /** How many programs wanted to run in the minute before: above zero, others were at work. */
    load: z.number(),
  }),
  commit: z.string(),
  seed: z.int(),
  /** SHA-256 over the code that measured: the bench's own files. */
  program: z.string(),
  /** The version of the receipts that were measured. */
  receiptFormat: z.string(),
});

export type Cell = z.infer<typeof cell>;
export type Column = z.infer<typeof columnSchema>;
export type Figure = z.infer<typeof figureSchema>;
export type BenchFigures = z.infer<typeof measuredSchema>;
export type BenchResult = z.infer<typeof resultSchema>;

/** A bench is told this of its run. */
export interface RunSettings {
  readonly isQuick: boolean;
  readonly seed: number;
  /** A folder for what is built once and used by later runs. */
  readonly kept: string;
  /** Tells whoever waits what is being done. */
  readonly progress: (line: string) => void;
}

/** A bench. It runs in a process of its own. */
export type Measure = (settings: RunSettings) => Promise<BenchFigures>;

export const columnsOf = (...columns: readonly (readonly [name: string, unit: Unit])[]): Column[] =>
  columns.map(([name, unit]) => ({ name, unit }));

/** Most benches have nothing here. */
export const NOTHING_ELSE: Pick<BenchFigures, "skipped" | "versions"> = { skipped: [], versions: {} };

/** True where a figure is as the project wants it; null where it has no aim, or was not measured. */
export function meetsAim({ value, aim }: Figure): boolean | null {
  if (aim === undefined || value === null) return null;
  return "atMost" in aim ? value <= aim.atMost : value >= aim.atLeast;
}
