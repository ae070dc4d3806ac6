// `npm run bench`: a bench really runs, so that none rots between two releases.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const PROGRAM = join(import.meta.dirname, "../../bench/bench.ts");
const run = promisify(execFile);

test("a bench runs, and says that a short run's figures count for nothing", async () => {
  const { stdout } = await run(process.execPath, [PROGRAM, "history", "--quick"]);
  expect(stdout).toMatch(/walk with the most heads: \*\*[\d.]+ s\*\*/);
  expect(stdout).toContain("count for nothing");
});
