// `npm run bench`: the benches, one after the other, each in a process of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fillPage } from "./cost/markdown.ts";
import { BENCHES, type BenchEntry, PAGE_PROGRAMS, type PageProgram } from "./figures/catalogue.ts";
import { fillFromResults } from "./figures/pages.ts";
import { describeRun, renderAll, renderFigure, renderRows } from "./figures/render.ts";
import { RESULTS_FOLDER, readResults, writeResult } from "./figures/result-files.ts";
import { runBench } from "./figures/run.ts";
import { readProgramWords, refuseWords } from "./program-words.ts";

const ROOT = join(import.meta.dirname, "..");
const RESULTS_PAGE = join(RESULTS_FOLDER, "README.md");
const FAILED = 1;
const SEED = "1";
const NAME_WIDTH = 16;

const HELP = `Usage: npm run bench -- [NAME…] [options]

Measures, and says of each figure whether it meets its aim. Without a name, all
benches run but those that take an hour by themselves.

  --list          lists the benches by name
  --quick         as short as they go: the figures count for nothing
  --write         keeps the results in bench/results/, and fills the pages that
                  show one
  --render        fills the pages from the results that are kept, and runs nothing
  --seed N        what is by chance follows from it (${SEED})
  --kept FOLDER   for what is built once (.data/bench)

Exit status: 0 all benches ran, 1 one of them failed, 2 it could not run.`;

const OPTIONS = {
  list: { type: "boolean", default: false },
  quick: { type: "boolean", default: false },
  write: { type: "boolean", default: false },
  render: { type: "boolean", default: false },
  seed: { type: "string", default: SEED },
  kept: { type: "string", default: join(ROOT, ".data/bench") },
} as const;

type BenchWords = ReturnType<typeof readWords>;
type Runnable = BenchEntry | PageProgram;

function readWords() {
  const { values, positionals } = readProgramWords(HELP, { options: OPTIONS, allowPositionals: true });
  const all: readonly Runnable[] = [...BENCHES, ...PAGE_PROGRAMS];
  const unknown = positionals.find((word) => !all.some(({ name }) => name === word));
  if (unknown !== undefined) refuseWords(`There is no bench ${unknown}`);
  if (!/^\d{1,9}$/.test(values.seed)) refuseWords("--seed must be a whole number");
  const isChosen = (bench: Runnable): boolean =>
    positionals.length === 0 ? values.list || !isLong(bench) : positionals.includes(bench.name);
  const chosen = all.filter(isChosen);
  return { ...values, seed: Number(values.seed), chosen };
}

const isLong = (bench: Runnable): boolean => "isLong" in bench && bench.isLong === true;

const hasProgram = (bench: Runnable): bench is PageProgram => "file" in bench;

async function runOne(bench: Runnable, wanted: BenchWords): Promise<void> {
  console.log(`\n== ${bench.name}: ${bench.title}`);
  if (hasProgram(bench)) return runProgram(bench, wanted);
  const { quick: isQuick, seed, kept } = wanted;
  const result = await runBench(bench, {
    isQuick,
    seed,
    kept,
    progress: (line) => console.log(`   ${line}`),
  });
  console.log(`\n${describeRun(result)}\n\n${renderRows(result)}\n`);
  for (const figure of result.figures) console.log(renderFigure(figure));
  for (const reason of result.skipped) console.log(`- Skipped: ${reason}`);
  if (wanted.write) writeResult(result);
}

async function runProgram(
  { name, file, whole, quick, write }: PageProgram,
  wanted: BenchWords,
): Promise<void> {
  const words = [...(wanted.quick ? quick : whole), ...(wanted.write && !wanted.quick ? write : [])];
  const child = spawn(process.execPath, [join(ROOT, file), ...words], { cwd: ROOT, stdio: "inherit" });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`the bench ${name} ended with ${code ?? "a signal"}`);
}

/** Fills the page of results and every page that shows one. */
function render(): void {
  const results = readResults();
  const all = fillPage(readFileSync(RESULTS_PAGE, "utf8"), { results: renderAll(BENCHES, results) });
  writeFileSync(RESULTS_PAGE, all);
  const docs = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" });
  for (const page of ["README.md", ...docs.map((name) => `docs/${name}`)].filter((name) =>
    name.endsWith(".md"),
  )) {
    const file = join(ROOT, page);
    const text = readFileSync(file, "utf8");
    const filled = fillFromResults(text, results);
    if (filled !== text) writeFileSync(file, filled);
  }
}

async function main(wanted: BenchWords): Promise<void> {
  if (wanted.list) {
    for (const { name, title } of wanted.chosen) console.log(`${name.padEnd(NAME_WIDTH)}${title}`);
    return;
  }
  if (wanted.render) return render();
  for (const bench of wanted.chosen) {
    // One bench that fails does not take the others' results along.
    await runOne(bench, wanted).catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = FAILED;
    });
  }
  if (wanted.write) render();
}

await main(readWords());
