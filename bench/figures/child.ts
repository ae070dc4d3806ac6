// The process of one bench: `bench/bench.ts` starts it with the bench's name and the settings of the run.
import type { BenchFigures, Measure, RunSettings } from "./result.ts";

/** The order that the process gets, as JSON in its first argument. */
export interface BenchOrder extends Omit<RunSettings, "progress"> {
  /** The bench's, in the catalogue. */
  readonly name: string;
}

export type FromChild =
  | { readonly kind: "progress"; readonly line: string }
  | { readonly kind: "measured"; readonly measured: BenchFigures };

const tell = (message: FromChild): Promise<void> =>
  new Promise((resolve, reject) => {
    process.send?.(message, (error: Error | null) => (error === null ? resolve() : reject(error)));
  });

const { name, ...settings } = JSON.parse(process.argv[2] ?? "{}") as BenchOrder;
const { measure } = (await import(`./measure/${name}.ts`)) as { measure: Measure };
const measured = await measure({ ...settings, progress: (line) => void tell({ kind: "progress", line }) });
await tell({ kind: "measured", measured });
// Connections that are kept alive would hold the process.
process.exit(0);
