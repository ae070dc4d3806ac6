// `npm run mutation -- FOLDER|FILE…`: changes the sources, one place at a time, and counts which changes the tests notice.
// Each file is written down when it is done, so a run that is stopped is not lost. StrykerJS does it, which is installed
// beside this program when it is first asked for.
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { machine } from "./measuring.ts";
import { FOLDERS, type MutatedFolder } from "./mutation/folders.ts";
import { type MutationResults, type StrykerReport, summarize, withFile } from "./mutation/report.ts";
import { formatSurvivors, type Judgement } from "./mutation/survivors.ts";
import { readProgramWords, refuseWords } from "./program-words.ts";

const ROOT = join(import.meta.dirname, "..");
const HERE = join(import.meta.dirname, "mutation");
const RESULTS = join(HERE, "results.json");
const SURVIVORS = join(HERE, "survivors.md");
const JUDGEMENTS = join(HERE, "judgements.json");
const HELP = `Usage: npm run mutation -- FOLDER|FILE…

Changes the sources, one place at a time, and counts which changes the tests
notice. The results are kept in bench/mutation/. Without a name, the page of
survivors is written anew.

Folders: ${Object.keys(FOLDERS).join(", ")}`;
/** A mutant that loops is found by its counted rounds. This ends one that waits. Milliseconds. */
const TIMEOUT_MS = 60_000;

function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): void {
  const { status } = spawnSync(command, args, { cwd, env: { ...process.env, ...env }, stdio: "inherit" });
  if (status !== 0) throw new Error(`${command} ${args[0]} ended with ${status}`);
}

function install(): void {
  if (!existsSync(join(HERE, "node_modules"))) run("npm", ["ci", "--no-audit", "--no-fund"], HERE);
}

const configOf = (source: string, report: string) => ({
  testRunner: "vitest",
  plugins: [
    join(HERE, "node_modules/@stryker-mutator/vitest-runner/dist/src/index.js"),
    join(HERE, "messages.ts"),
  ],
  vitest: { configFile: "test/mutation.config.ts", related: false },
  mutate: [source],
  ignorers: ["messages"],
  coverageAnalysis: "perTest",
  disableTypeChecks: false,
  // It would rewrite the file by the API of TypeScript, which version 7 has not got. Nothing here needs the file.
  tsconfigFile: "none",
  reporters: ["progress-append-only", "json"],
  jsonReporter: { fileName: report },
  tempDirName: "node_modules/.stryker-tmp",
  ignorePatterns: [
    "dist",
    "cdk.out",
    "coverage",
    "python",
    "console",
    "web",
    "test/vectors/evidence/bills/mirror",
  ],
  timeoutMS: TIMEOUT_MS,
  concurrency: availableParallelism(),
  allowConsoleColors: false,
});

function mutate(source: string, { tests }: MutatedFolder): StrykerReport {
  const temporary = mkdtempSync(join(tmpdir(), "disclosure-receipts-"));
  const [config, report] = [join(temporary, "stryker.json"), join(temporary, "report.json")];
  writeFileSync(config, JSON.stringify(configOf(source, report)));
  try {
    const stryker = join(HERE, "node_modules/@stryker-mutator/core/bin/stryker.js");
    run(process.execPath, [stryker, "run", config], ROOT, { MUTATION_TESTS: tests.join(",") });
    return JSON.parse(readFileSync(report, "utf8")) as StrykerReport;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** The commit, and whether sources or tests differ from it. */
function commitOf(): string {
  const git = (...args: string[]) => spawnSync("git", args, { cwd: ROOT, encoding: "utf8" });
  const isChanged = git("diff", "--quiet", "HEAD", "--", "core", "reader", "test").status !== 0;
  return `${git("rev-parse", "--short", "HEAD").stdout.trim()}${isChanged ? ", changed" : ""}`;
}

const readJson = <T>(file: string, otherwise: T): T =>
  existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as T) : otherwise;

function write(results: MutationResults): void {
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(SURVIVORS, formatSurvivors(results, readJson<readonly Judgement[]>(JUDGEMENTS, [])));
}

/** All sources of a folder, or the one that was named. */
function targetsOf(name: string): { folder: string; sources: readonly string[]; wanted: readonly string[] } {
  for (const [folder, { sources: glob }] of Object.entries(FOLDERS)) {
    const sources = globSync(glob, { cwd: ROOT }).sort();
    if (name === folder || sources.includes(name))
      return { folder, sources, wanted: name === folder ? sources : [name] };
  }
  return refuseWords(`${name} is none of these folders, and no file in one`);
}

const { positionals: names } = readProgramWords(HELP, { options: {}, allowPositionals: true });
const targets = names.map(targetsOf);

if (targets.length > 0) install();
// A judgement may be new, so the page is written anew without any name, too.
else write(readJson<MutationResults>(RESULTS, { folders: {} }));
for (const { folder, sources, wanted } of targets) {
  for (const source of wanted) {
    const report = mutate(source, FOLDERS[folder] as MutatedFolder);
    const run = { date: new Date().toISOString().slice(0, 10), commit: commitOf(), machine: machine() };
    const { folders } = readJson<MutationResults>(RESULTS, { folders: {} });
    write({ folders: { ...folders, [folder]: withFile(folders[folder], sources, source, report, run) } });
    const { killed, timeout, mutants } = summarize(report);
    console.log(`${source}: ${killed + timeout} of ${mutants} mutants noticed`);
  }
}
