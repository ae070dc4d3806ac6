// The circumstances of a run: the machine, the versions, the commit, and which program measured.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { cpus, loadavg, release, totalmem, type } from "node:os";
import { join } from "node:path";
import { codeOf, importGraphOf } from "../house/imports.ts";
import { filesIn, readSource } from "../house/sources.ts";
import type { BenchResult } from "./result.ts";

const ROOT = join(import.meta.dirname, "../..");
/** The code that is measured, and that measures. Results that were just written are no change of it. */
const MEASURED = [
  "core",
  "service",
  "local",
  "server",
  "lambdas",
  "reader",
  "cli",
  "client",
  "bench",
  ":!bench/results",
];
const BYTES_PER_GB = 2 ** 30;

export const machineOf = (): BenchResult["machine"] => ({
  processor: cpus()[0]?.model ?? "unknown",
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / BYTES_PER_GB),
  system: `${type()} ${release()}`,
  load: loadavg()[0] ?? 0,
});

/** The versions of Node and of the packages that what was measured stands on. */
export function versionsOf(packages: readonly string[]): Record<string, string> {
  const ofPackages = packages.map((name) => {
    const file = join(ROOT, "node_modules", name, "package.json");
    const { version } = JSON.parse(readFileSync(file, "utf8")) as { version: string };
    return [name, version] as const;
  });
  return { node: process.version.slice(1), ...Object.fromEntries(ofPackages) };
}

/** The commit that ran, and whether what was measured differs from it. */
export function commitOf(): string {
  const git = (...words: string[]): string =>
    execFileSync("git", words, { cwd: ROOT, encoding: "utf8" }).trim();
  const changes = git("status", "--porcelain", "--", ...MEASURED);
  return `${git("rev-parse", "--short", "HEAD")}${changes === "" ? "" : " and changes"}`;
}

/**
 * The digest of the program that measures: its files and those of bench/ that they import, without comments, and of the
 * other files that it runs. What is measured is not in it: each change of the service would make every figure stale.
 */
export function programDigest(module: string | null, others: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of module === null ? [] : filesOfProgram(module))
    hash.update(`${file}\n${codeOf(readSource(file))}\n`);
  for (const file of others.flatMap(filesUnder)) hash.update(`${file}\n${readSource(file)}\n`);
  return `sha256:${hash.digest("hex")}`;
}

function filesOfProgram(module: string): string[] {
  const files = filesIn("bench/");
  const graph = importGraphOf(new Map(files.map((file) => [file, readSource(file)])));
  const found = new Set<string>();
  const visit = (file: string): void => {
    if (found.has(file)) return;
    found.add(file);
    for (const imported of graph.get(file) ?? []) visit(imported);
  };
  visit(module);
  return [...found].sort();
}

const filesUnder = (path: string): string[] =>
  statSync(join(ROOT, path)).isDirectory()
    ? readdirSync(join(ROOT, path))
        .sort()
        .map((name) => `${path}/${name}`)
    : [path];
