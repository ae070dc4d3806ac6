// Signed checkpoints: the library, the command line and the verifier in Python say the same of every vector, and of notes
// that were damaged at random.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test, vi } from "vitest";
import { receipts } from "../tools/cli/command-line.ts";
import { askCommandLine } from "./command-line.ts";
import { type Asked, ask, useClock } from "./everyone.ts";
import { askPage } from "./page.ts";
import { hasPython } from "./python.ts";
import { verify as python } from "./python-program.ts";
import { askReader } from "./reader.ts";
import { checkpointRows, evidenceFile, type Row, type Verdict } from "./rows.ts";

const CASES = 60;
/** Set it to see a failure again. */
const SEED = Number(process.env.DAMAGE_SEED ?? Date.now() % 2 ** 31);

useClock();
const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function answersTo({ python, ...row }: Asked) {
  vi.setSystemTime(row.now);
  return {
    reader: await askReader(row),
    commandLine: await askCommandLine(row),
    page: await askPage(row),
    python,
  };
}

const allOf = (verdict: Verdict) => ({
  reader: verdict,
  commandLine: verdict,
  page: verdict,
  python: hasPython ? verdict : undefined,
});

describe("every verifier says of a checkpoint", () => {
  test.each(ask(checkpointRows))("$expected.verdict, $name: $reason", async (row) => {
    expect(await answersTo(row)).toEqual(allOf(row.expected));
  });

  test.each(ask(checkpointRows.map(({ policy: _, ...row }) => row)))(
    "nothing without a policy: $name",
    async (row) => {
      const { commandLine, ...others } = await answersTo(row);
      expect([...commandLine.failing, ...commandLine.unmade]).not.toContain("checkpoint");
      expect({ commandLine, ...others }).toEqual(allOf(commandLine));
    },
  );
});

const signed = checkpointRows.filter(({ expected }) => !expected.verdict.startsWith("does"));
const pieces = [
  "\n",
  "\n\n",
  "— ",
  " ",
  "+",
  "0",
  "1",
  "A",
  "=",
  "é",
  "\t",
  "\u00a0",
  "\u0085",
  "\ufeff",
  "\ud800",
  "",
];
const anyDamage = fc.record({
  row: fc.constantFrom(...signed),
  at: fc.noBias(fc.nat({ max: 2 ** 20 })),
  cut: fc.nat({ max: 2 }),
  piece: fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 })),
});

test(`notes that were damaged at random are judged alike (DAMAGE_SEED=${SEED})`, async () => {
  const rows = fc.sample(anyDamage, { seed: SEED, numRuns: CASES }).map(({ row, at, cut, piece }, i): Row => {
    const value = JSON.parse(readFileSync(row.file, "utf8")) as { log_checkpoint: string | null };
    const note = value.log_checkpoint ?? "";
    const place = at % (note.length + 1);
    value.log_checkpoint = note.slice(0, place) + piece + note.slice(place + cut);
    const file = join(folder, `${i}.json`);
    writeFileSync(file, JSON.stringify(value));
    return { ...row, file };
  });
  const verdicts = new Set<string>();
  for (const row of ask(rows)) {
    const answers = await answersTo(row);
    expect(answers, readFileSync(row.file, "utf8")).toEqual(allOf(answers.commandLine));
    verdicts.add(answers.commandLine.verdict);
  }
  expect(verdicts).toContain("does_not_hold");
});

test.skipIf(!hasPython)("neither program reads a log policy that is not UTF-8", async () => {
  const [file, name] = [evidenceFile("checkpoints/good.json"), evidenceFile("checkpoints/key.policy")];
  const damaged = join(folder, "latin-1.policy");
  writeFileSync(damaged, Buffer.concat([Buffer.from("# caf\xe9\n", "latin1"), readFileSync(name)]));
  const said = [await receipts("verify", file, "--policy", damaged), python(file, "--policy", damaged)];
  for (const { status, stderr } of said) {
    expect(status).toBe(2);
    expect(stderr).toContain("this is not text in UTF-8");
  }
});

test.skipIf(!hasPython)("neither program reads a key or a policy behind a byte order mark", async () => {
  const file = evidenceFile("checkpoints/good.json");
  const policy = readFileSync(evidenceFile("checkpoints/key.policy"), "utf8");
  for (const text of [policy, policy.split(/\s/)[1] ?? ""]) {
    const marked = join(folder, "marked.policy");
    writeFileSync(marked, `\uFEFF${text}`);
    for (const { status, stderr } of [
      await receipts("verify", file, "--policy", marked),
      python(file, "--policy", marked),
    ]) {
      expect(status).toBe(2);
      expect(stderr).toContain("begins with a byte order mark");
    }
  }
});

test.skipIf(!hasPython)("neither program reads a policy in which a witness counts in two ways", async () => {
  const [file, name] = [
    evidenceFile("checkpoints/good.json"),
    evidenceFile("checkpoints/two-of-three.policy"),
  ];
  const doubled = join(folder, "doubled.policy");
  const groups = "group any-of any w0 w1\ngroup all 2 w0 any-of\n";
  writeFileSync(doubled, readFileSync(name, "utf8").replace(/^group .*\n/m, groups));
  const said = [await receipts("verify", file, "--policy", doubled), python(file, "--policy", doubled)];
  for (const { status, stderr } of said) {
    expect(status).toBe(2);
    expect(stderr).toContain("a witness or a group is a member twice");
  }
});

test.skipIf(!hasPython)("neither program takes an option twice that has one value", async () => {
  const [file, name] = [evidenceFile("checkpoints/good.json"), evidenceFile("checkpoints/key.policy")];
  const twice = [file, "--policy", name, "--policy", name];
  for (const { status, stderr } of [await receipts("verify", ...twice), python(...twice)]) {
    expect(status).toBe(2);
    expect(stderr).toContain("--policy is given twice");
  }
});
