// `npm run mutation -- FOLDER|FILE…`: changes the sources, one place at a time, and names the changes that no test notices.
// Each file has a report of its own, so a run that is stopped keeps what it found.
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { FOLDERS } from "./mutation/folders.ts";
import { type StrykerReport, survivorsOf } from "./mutation/survivors.ts";
import { readProgramWords, refuseWords } from "./program-words.ts";

const ROOT = join(import.meta.dirname, "..");
const HERE = join(import.meta.dirname, "mutation");
const REPORTS = "coverage/mutation";
const HELP = `Usage: npm run mutation -- FOLDER|FILE…

Changes the sources, one place at a time, and names the changes that no test
notices and that bench/mutation/judgements.json does not judge. The report of
each file is written into ${REPORTS}.

Folders: ${Object.keys(FOLDERS).join(", ")}`;

function run(command: string, args: readonly string[], cwd = ROOT, env: NodeJS.ProcessEnv = {}): void {
  const { status } = spawnSync(command, args, { cwd, env: { ...process.env, ...env }, stdio: "inherit" });
  if (status !== 0) throw new Error(`${command} ${args[0]} ended with ${status}`);
}

const readJson = (file: string) => JSON.parse(readFileSync(file, "utf8"));

function mutate(source: string, tests: readonly string[]): StrykerReport {
  const report = join(ROOT, REPORTS, source);
  const config = {
    ...readJson(join(HERE, "stryker.config.json")),
    mutate: [source],
    htmlReporter: { fileName: `${report}.html` },
    jsonReporter: { fileName: `${report}.json` },
  };
  mkdirSync(dirname(report), { recursive: true });
  writeFileSync(`${report}.config.json`, JSON.stringify(config));
  const stryker = join(HERE, "node_modules/@stryker-mutator/core/bin/stryker.js");
  run(process.execPath, [stryker, "run", `${report}.config.json`], ROOT, { MUTATION_TESTS: tests.join(",") });
  return readJson(`${report}.json`);
}

/** All sources of a folder, or the one that was named. */
function targetsOf(name: string): { source: string; tests: readonly string[] }[] {
  for (const [folder, { sources: glob, tests }] of Object.entries(FOLDERS)) {
    const sources = globSync(glob, { cwd: ROOT }).sort();
    if (name === folder) return sources.map((source) => ({ source, tests }));
    if (sources.includes(name)) return [{ source: name, tests }];
  }
  return refuseWords(`${name} is none of these folders, and no file in one`);
}

const { positionals: names } = readProgramWords(HELP, { options: {}, allowPositionals: true });
if (names.length === 0) refuseWords("The name of a folder or a file is missing");
const targets = names.flatMap(targetsOf);
if (!existsSync(join(HERE, "node_modules")))
  run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], HERE);
run(process.execPath, ["test/support/derived-vectors.ts"]);
for (const { source, tests } of targets) {
  const { mutants, survivors } = survivorsOf(mutate(source, tests), readJson(join(HERE, "judgements.json")));
  for (const { line, original, replacement } of survivors)
    console.log(`${source}:${line}: ${original} → ${replacement}`);
  console.log(`${source}: ${mutants} mutants, ${survivors.length} that no test noticed and nobody judged`);
}
