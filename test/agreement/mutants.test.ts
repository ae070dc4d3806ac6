// Changed bytes, which no JSON writer would write: every verifier says the same of each file, check by check.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { answersTo, ask, everywhere, useClock } from "./everyone.ts";
import { mutantRows } from "./mutant-rows.ts";

const CASES = 250;
/** Set it to see a failure again. */
const SEED = Number(process.env.FUZZ_SEED ?? 1);

useClock();
const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(`files of changed bytes are judged alike (FUZZ_SEED=${SEED})`, async () => {
  const verdicts = new Set<string>();
  for (const row of ask(mutantRows(folder, SEED, CASES))) {
    const answers = await answersTo(row);
    const content = readFileSync(row.file).toString("base64");
    expect(answers, `${row.name}, changed to (base64) ${content}`).toEqual(everywhere(answers.commandLine));
    verdicts.add(answers.commandLine.verdict);
  }
  expect([...verdicts]).toEqual(expect.arrayContaining(["unreadable", "does_not_hold"]));
});
