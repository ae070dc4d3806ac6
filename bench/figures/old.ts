// `npm run figures:check`: which kept results are older than the code that they measured. For a release: no test asks it.
import { git } from "./about.ts";
import { BENCHES, type BenchEntry, moduleOf } from "./catalogue.ts";
import { readResult } from "./result.ts";

const NAME_WIDTH = 16;
const OLD = 1;

/** Says in words what changed since the result's commit; null if nothing did. */
function changesOf(bench: BenchEntry): string | null {
  const result = readResult(bench.name);
  if (result === null) return "it was never measured";
  const [commit = ""] = result.commit.split(" ");
  const about = `measured ${result.date.slice(0, "2026-11-23".length)} at ${result.commit}`;
  try {
    const changed = git("diff", "--name-only", commit, "--", moduleOf(bench), ...bench.measures);
    if (changed === "") return null;
    const files = changed.split("\n");
    return `${about}; ${files.length} files changed since, the first is ${files[0]}`;
  } catch {
    return `${about}, a commit that this clone does not have`;
  }
}

for (const bench of BENCHES) {
  const changes = changesOf(bench);
  console.log(`${bench.name.padEnd(NAME_WIDTH)}${changes === null ? "current" : `old: ${changes}`}`);
  if (changes !== null) process.exitCode = OLD;
}
if (process.exitCode === OLD) console.log("\nMeasure anew on a quiet machine: npm run bench -- NAME --write");
