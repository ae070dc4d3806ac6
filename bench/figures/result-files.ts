// The results that are kept: bench/results/NAME.json.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BENCHES } from "./catalogue.ts";
import { type BenchResult, resultSchema } from "./result.ts";

export const RESULTS_FOLDER = join(import.meta.dirname, "../results");
const fileOf = (name: string): string => join(RESULTS_FOLDER, `${name}.json`);

export const readResult = (name: string): BenchResult | null =>
  existsSync(fileOf(name)) ? resultSchema.parse(JSON.parse(readFileSync(fileOf(name), "utf8"))) : null;

/** Those that are there, in the order of the catalogue. */
export const readResults = (): BenchResult[] =>
  BENCHES.map(({ name }) => readResult(name)).filter((result) => result !== null);

export function writeResult(result: BenchResult): void {
  writeFileSync(fileOf(result.name), `${JSON.stringify(result, null, 2)}\n`);
}
