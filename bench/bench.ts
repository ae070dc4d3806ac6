// `npm run bench`: the benches, one after the other, each in a process of its own.
import { join } from "node:path";
import { BENCHES, type BenchEntry } from "./figures/catalogue.ts";
import { renderPage } from "./figures/page.ts";
import { renderResult } from "./figures/render.ts";
import { writeResult } from "./figures/result.ts";
import { runBench } from "./figures/run.ts";
import { readProgramWords, refuseWords } from "./program-words.ts";

const ROOT = join(import.meta.dirname, "..");
const FAILED = 1;
const SEED = "1";
const NAME_WIDTH = 16;

const HELP = `Usage: npm run bench -- [NAME…] [options]

Measures, and says of each figure whether it meets its aim. Without a name, all
benches run except those that take an hour by themselves.

  --list          lists the benches by name
  --quick         as short as they go: the figures count for nothing
  --write         keeps the results in bench/results/, and fills docs/performance.md
  --render        fills the page from the kept results, and runs nothing
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

function readWords() {
  const { values, positionals } = readProgramWords(HELP, { options: OPTIONS, allowPositionals: true });
  const unknown = positionals.find((word) => !BENCHES.some(({ name }) => name === word));
  if (unknown !== undefined) refuseWords(`There is no bench ${unknown}`);
  if (!/^\d{1,9}$/.test(values.seed)) refuseWords("--seed must be a whole number");
  const isChosen = ({ name, isLong = false }: BenchEntry): boolean =>
    positionals.length === 0 ? values.list || !isLong : positionals.includes(name);
  return { ...values, seed: Number(values.seed), chosen: BENCHES.filter(isChosen) };
}

async function runOne(bench: BenchEntry, wanted: BenchWords): Promise<void> {
  console.log(`\n== ${bench.name}: ${bench.title}`);
  const { quick: isQuick, seed, kept } = wanted;
  const progress = (line: string): void => console.log(`   ${line}`);
  const result = await runBench(bench, { isQuick, seed, kept, progress });
  console.log(`\n${renderResult(result)}`);
  if (wanted.write && !isQuick) writeResult(result);
}

async function main(wanted: BenchWords): Promise<void> {
  if (wanted.list) {
    for (const { name, title } of wanted.chosen) console.log(`${name.padEnd(NAME_WIDTH)}${title}`);
    return;
  }
  if (wanted.render) return renderPage();
  for (const bench of wanted.chosen) {
    // One bench that fails does not take the others' results along.
    await runOne(bench, wanted).catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = FAILED;
    });
  }
  if (wanted.write) renderPage();
}

await main(readWords());
