// The circumstances of a run: the machine, the versions, and the commit.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem, type } from "node:os";
import { join } from "node:path";
import type { BenchResult } from "./result.ts";

const ROOT = join(import.meta.dirname, "../..");
const BYTES_PER_GB = 2 ** 30;

export const machineOf = (): NonNullable<BenchResult["machine"]> => ({
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

/** Runs git in this repository, and returns its output without the white space around it. */
export const git = (...words: string[]): string =>
  execFileSync("git", words, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();

/** The commit that ran, and whether the measured files differ from it. */
export function commitOf(measured: readonly string[]): string {
  const changes = git("status", "--porcelain", "--", ...measured);
  return `${git("rev-parse", "--short", "HEAD")}${changes === "" ? "" : " and changes"}`;
}
