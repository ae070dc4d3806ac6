// The programs that measure and search say how they are called, to whoever asks and to whoever mistypes.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const PROGRAMS = [
  "bench/bench.ts",
  "bench/cost.ts",
  "bench/figures/million.ts",
  "bench/hammer-seeds.ts",
  "bench/hammer.ts",
  "bench/mutation.ts",
  "bench/throughput.ts",
  "test/fuzz/main.ts",
];

const run = (program: string, word: string) =>
  spawnSync(process.execPath, [program, word], { cwd: ROOT, encoding: "utf8" });

test.each(PROGRAMS)("%s prints how it is called", (program) => {
  const { status, stdout, stderr } = run(program, "--help");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/^Usage: (?:npm run|npx node) /);
});

test.each(PROGRAMS)("%s refuses an option that it does not have, in a sentence", (program) => {
  const { status, stdout, stderr } = run(program, "--nope");
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toMatch(/^Unknown option '--nope'/);
  expect(stderr).not.toMatch(/^ +at /m);
});
