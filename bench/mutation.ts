// `npm run mutation -- FOLDER…`: changes the sources of a folder, one place at a time, and counts which changes its tests
// notice. StrykerJS does it, which is installed beside this program when it is first asked for.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { machine } from "./measuring.ts";
import { FOLDERS, type MutatedFolder } from "./mutation/folders.ts";
import {
  type FolderRun,
  type Results,
  type StrykerReport,
  summarize,
  survivorsOf,
} from "./mutation/report.ts";
import { formatSurvivors, type Judgement } from "./mutation/survivors.ts";

const ROOT = join(import.meta.dirname, "..");
const HERE = join(import.meta.dirname, "mutation");
const RESULTS = join(HERE, "results.json");
const SURVIVORS = join(HERE, "survivors.md");
const JUDGEMENTS = join(HERE, "judgements.json");
/** A mutant that loops is found by its counted rounds; this ends one that waits, on a busy machine too. Milliseconds. */
const TIMEOUT_MS = 60_000;

function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): void {
  const { status } = spawnSync(command, args, { cwd, env: { ...process.env, ...env }, stdio: "inherit" });
  if (status !== 0) throw new Error(`${command} ${args[0]} ended with ${status}`);
}

function install(): void {
  if (!existsSync(join(HERE, "node_modules"))) run("npm", ["ci", "--no-audit", "--no-fund"], HERE);
}

const configOf = ({ sources }: MutatedFolder, report: string) => ({
  testRunner: "vitest",
  plugins: [
    join(HERE, "node_modules/@stryker-mutator/vitest-runner/dist/src/index.js"),
    join(HERE, "messages.ts"),
  ],
  vitest: { configFile: "bench/mutation/vitest.config.ts", related: false },
  mutate: [sources],
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

function mutate(folder: MutatedFolder): StrykerReport {
  const temporary = mkdtempSync(join(tmpdir(), "disclosure-receipts-"));
  const [config, report] = [join(temporary, "stryker.json"), join(temporary, "report.json")];
  writeFileSync(config, JSON.stringify(configOf(folder, report)));
  try {
    const stryker = join(HERE, "node_modules/@stryker-mutator/core/bin/stryker.js");
    run(process.execPath, [stryker, "run", config], ROOT, { MUTATION_TESTS: folder.tests.join(",") });
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

function write(results: Results): void {
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(SURVIVORS, formatSurvivors(results, readJson<readonly Judgement[]>(JUDGEMENTS, [])));
}

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in FOLDERS));
if (names.length === 0 || unknown.length > 0)
  throw new Error(`usage: npm run mutation -- FOLDER…, of ${Object.keys(FOLDERS).join(", ")}`);

install();
for (const name of names) {
  const report = mutate(FOLDERS[name] as MutatedFolder);
  const result = { date: new Date().toISOString().slice(0, 10), commit: commitOf(), machine: machine() };
  const { folders } = readJson<Results>(RESULTS, { folders: {} });
  const found: FolderRun = { ...result, ...summarize(report), survivors: survivorsOf(report) };
  write({ folders: { ...folders, [name]: found } });
  console.log(
    `${name}: ${found.killed + found.timeout} of ${found.mutants} mutants noticed, ${found.score} %`,
  );
}
