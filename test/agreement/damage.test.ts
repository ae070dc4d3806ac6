// Damage that nobody thought of: evidence changed at random, and every verifier still says the same, check by check.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { anyDamages, type Json } from "../support/json-damage.ts";
import { answersTo, ask, everywhere, useClock } from "./everyone.ts";
import { evidenceRows, type Row } from "./rows.ts";

const CASES = 600;
/** Set it to see a failure again. */
const SEED = Number(process.env.DAMAGE_SEED ?? Date.now() % 2 ** 31);
useClock();
const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const good = evidenceRows.filter(({ expected }) => expected.verdict.startsWith("holds"));
const anyRow = fc.tuple(fc.constantFrom(...good), anyDamages);

function damaged([row, damage]: [Row, (value: Json) => Json], i: number): Row {
  const value = JSON.parse(readFileSync(row.file, "utf8")) as Json;
  const file = join(folder, `${i}.json`);
  writeFileSync(file, JSON.stringify(damage(value)));
  // What is published would be looked up under the damaged number by one, and under the old one by another.
  return { ...row, file, published: {} };
}

test(`evidence that was damaged at random is judged alike (DAMAGE_SEED=${SEED})`, async () => {
  const rows = ask(fc.sample(anyRow, { seed: SEED, numRuns: CASES }).map(damaged));
  const verdicts = new Set<string>();
  for (const row of rows) {
    const answers = await answersTo(row);
    expect(answers, readFileSync(row.file, "utf8")).toEqual(everywhere(answers.commandLine));
    verdicts.add(answers.commandLine.verdict);
  }
  expect([...verdicts].filter((verdict) => verdict !== "holds").sort()).toEqual([
    "does_not_hold",
    "holds_so_far",
    "unreadable",
  ]);
});
