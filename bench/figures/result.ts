// The result of a bench: what was measured, where, when and at which commit. bench/results/NAME.json keeps it.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../results");

/** "share" is shown in percent, "times" as a factor. */
export type Unit = "text" | "count" | "s" | "ms" | "µs" | "/s" | "KB" | "MB" | "share" | "times";
export type Cell = string | number | null;
export type Aim = { readonly atMost: number } | { readonly atLeast: number };

export interface Column {
  readonly name: string;
  readonly unit: Unit;
}

/** One number of a run. Those in "share" and "times" compare two rows of the same run. */
export interface Figure {
  readonly what: string;
  readonly value: number | null;
  readonly unit: Unit;
  /** The project's own target. */
  readonly aim?: Aim;
}

export interface BenchFigures {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  readonly figures: readonly Figure[];
  /** Everything that could not be measured, with the reason. */
  readonly skipped?: readonly string[];
  /** The versions of others' programs that took part. */
  readonly versions?: Readonly<Record<string, string>>;
}

export interface BenchResult extends BenchFigures {
  readonly name: string;
  /** A short run shows that a bench works. Its figures count for nothing. */
  readonly isQuick: boolean;
  /** RFC 3339. */
  readonly date: string;
  readonly seconds?: number;
  readonly machine?: {
    readonly processor: string;
    readonly cores: number;
    readonly memoryGb?: number;
    readonly system?: string;
    /** How many programs wanted to run in the minute before: above zero, others were at work. */
    readonly load?: number;
  };
  /** The commit that ran, with the words "and changes" where the measured code differed from it. */
  readonly commit: string;
  readonly seed: number;
}

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

/** Columns from texts such as "p50: ms". */
export const columnsOf = (...columns: readonly `${string}: ${Unit}`[]): Column[] =>
  columns.map((column) => {
    const at = column.lastIndexOf(": ");
    return { name: column.slice(0, at), unit: column.slice(at + 2) as Unit };
  });

/** A value that was not measured is null, or no number. */
export const figureOf = (what: string, value: number | null | undefined, unit: Unit, aim?: Aim): Figure => ({
  what,
  value: typeof value === "number" && Number.isFinite(value) ? value : null,
  unit,
  ...(aim && { aim }),
});

/** Null where either is missing. */
export const ratioOf = (one: Cell | undefined, other: Cell | undefined): number | null =>
  typeof one === "number" && typeof other === "number" ? one / other : null;

/** True where a figure is as the project wants it; null where it has no aim, or was not measured. */
export function meetsAim({ value, aim }: Figure): boolean | null {
  if (aim === undefined || value === null) return null;
  return "atMost" in aim ? value <= aim.atMost : value >= aim.atLeast;
}

const fileOf = (name: string): string => join(FOLDER, `${name}.json`);

/** Null where the bench was never measured. */
export const readResult = (name: string): BenchResult | null =>
  existsSync(fileOf(name)) ? (JSON.parse(readFileSync(fileOf(name), "utf8")) as BenchResult) : null;

/** Each column, row and figure is a line, so that a change of one is seen as such. */
export function writeResult(result: BenchResult): void {
  const lists = ["columns", "rows", "figures"] as const;
  const emptied = { ...result, columns: [], rows: [], figures: [] };
  const text = lists.reduce(
    (json, name) => {
      const lines = result[name].map((member) => `    ${JSON.stringify(member)}`);
      return json.replace(`"${name}": []`, () => `"${name}": [\n${lines.join(",\n")}\n  ]`);
    },
    JSON.stringify(emptied, null, 2),
  );
  writeFileSync(fileOf(result.name), `${text.replaceAll(": [\n\n  ]", ": []")}\n`);
}
