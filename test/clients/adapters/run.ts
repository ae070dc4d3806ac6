// `npm run test:adapters`: installs the stacks from the lockfile beside this file, compiles the adapters against their
// types, and runs their tests.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { copyExamples, removeCopies } from "./examples.ts";

const HERE = import.meta.dirname;
const ROOT = join(HERE, "..", "..", "..");
const SKIPPED = "The tests of the adapters for Node are skipped: npm could not install the stacks.";

function run(program: string, args: readonly string[], cwd = ROOT): boolean {
  return spawnSync(program, args, { cwd, stdio: "inherit" }).status === 0;
}

/** What npm installed, as it noted it itself, is what the lockfile says. */
function isInstalled(): boolean {
  const noted = join(HERE, "node_modules", ".package-lock.json");
  if (!existsSync(noted)) return false;
  const versions = (file: string) =>
    Object.entries<{ version?: string; optional?: boolean }>(JSON.parse(readFileSync(file, "utf8")).packages)
      .filter(([path, { optional }]) => path !== "" && optional !== true)
      .map(([path, { version }]) => `${path} ${version}`)
      .sort();
  const wanted = versions(join(HERE, "package-lock.json"));
  const found = new Set(versions(noted));
  return wanted.every((version) => found.has(version));
}

if (!isInstalled() && !run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], HERE)) {
  console.log(SKIPPED);
  process.exit(0);
}
const tool = (name: string): string => join(ROOT, "node_modules", name);
copyExamples();
const passed =
  run(process.execPath, [tool("typescript/bin/tsc"), "--noEmit", "-p", HERE]) &&
  run(process.execPath, [
    tool("vitest/vitest.mjs"),
    "run",
    "--project",
    "adapters",
    ...process.argv.slice(2),
  ]);
removeCopies();
process.exitCode = passed ? 0 : 1;
