// `npm run hammer:seeds -- FIRST LAST [--minutes 10]`: one long run of the hammer with all faults for each seed, one after
// the other. Each run's figures are kept in bench/results/hammer.json as soon as it has ended, in the place of that seed's
// earlier ones, and bench/results/hammer.md shows all of them. The exit status is 1 where a run found something.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { RESULT_FILE } from "./hammer/result.ts";
import { type RunResult, renderRuns, runResultSchema } from "./hammer/show/seeds-page.ts";
import { fillPage } from "./markdown.ts";
import { readProgramWords, refuseWords } from "./program-words.ts";

const HAMMER = fileURLToPath(new URL("./hammer.ts", import.meta.url));
const RESULTS = new URL("./results/hammer.json", import.meta.url);
const PAGE = new URL("./results/hammer.md", import.meta.url);

const HELP = `Usage: npm run hammer:seeds -- FIRST LAST [options]

Runs the hammer with all faults for each seed, one after the other, and keeps each
run's figures in bench/results/ as soon as it has ended.

  --minutes N  how long each run calls (10)
  --callers N  callers at once (64)

Exit status: 0 nothing was found, 1 something was, 2 it could not run.`;

const { values, positionals } = readProgramWords(HELP, {
  allowPositionals: true,
  options: { minutes: { type: "string", default: "10" }, callers: { type: "string", default: "64" } },
});
const seed = z.coerce.number().int().min(0);
const seeds = z.tuple([seed, seed]).safeParse(positionals);
const [first, last] = seeds.data ?? refuseWords("Give the first seed and the last one");

for (let next = first; next <= last; next++) runSeed(next);

function runSeed(wanted: number): void {
  const folder = mkdtempSync(join(tmpdir(), "hammer-seeds-"));
  const out = join(folder, "run");
  const words = ["--minutes", values.minutes, "--callers", values.callers, "--faults", "all"];
  const { status } = spawnSync(process.execPath, [HAMMER, ...words, "--seed", `${wanted}`, "--out", out], {
    stdio: "inherit",
  });
  const result = join(out, RESULT_FILE);
  // A run that found something is a result, too.
  if (existsSync(result)) keep(runResultSchema.parse(JSON.parse(readFileSync(result, "utf8"))));
  if (status === 0) {
    rmSync(folder, { recursive: true, force: true });
    return;
  }
  process.exitCode = 1;
  console.error(`the run of seed ${wanted} ended with ${status}; its folder is ${out}`);
}

function keep(run: RunResult): void {
  const kept = z.array(runResultSchema).parse(JSON.parse(readFileSync(RESULTS, "utf8")));
  const runs = [...kept.filter((other) => other.seed !== run.seed), run].toSorted((a, b) => a.seed - b.seed);
  const lines = runs.map((one) => JSON.stringify(one));
  writeFileSync(RESULTS, `[\n${lines.join(",\n")}\n]\n`);
  writeFileSync(PAGE, fillPage(readFileSync(PAGE, "utf8"), { runs: renderRuns(runs) }));
}
