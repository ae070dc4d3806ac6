// The hammer as it is run: some seconds with all faults, and nothing is found. And journals that were tampered with, for
// each of which the oracle must find something.
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { askOracle } from "../../bench/hammer/ask-oracle.ts";
import { CALLS_FILE, type JournalCall } from "../../bench/hammer/load/journal.ts";
import { readOptions } from "../../bench/hammer/options.ts";
import { hammer } from "../../bench/hammer/run.ts";

const folder = mkdtempSync(join(tmpdir(), "hammer-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

const TEN_SECONDS = ["--minutes", "0.17", "--callers", "6", "--tenants", "2"];

test("with all faults nothing is found, and all results are there", async () => {
  const out = join(folder, "all");
  const args = [...TEN_SECONDS, "--faults", "all", "--seed", "18", "--out", out];
  const { stdout } = await promisify(execFile)(process.execPath, ["bench/hammer.ts", ...args]);
  expect(stdout).toContain("nothing was found");
  const result = JSON.parse(readFileSync(join(out, "result.json"), "utf8"));
  expect(result).toMatchObject({ seed: 18, holds: true, findings: [] });
  expect(result.figures.attestations).toBeGreaterThan(0);
  expect(Object.keys(result.figures.faults)).not.toEqual([]);
  expect(readFileSync(join(out, "picture.svg"), "utf8")).toContain("<svg");
});

type Tamper = (calls: JournalCall[]) => JournalCall[];

const isAnswered = ({ receipt, idempotency_key }: JournalCall): boolean =>
  receipt !== null && idempotency_key !== null;

/** Changes the receipt of the first call that was answered once. */
const changing =
  (change: (receipt: Record<string, unknown>) => object): Tamper =>
  (calls) => {
    const at = calls.findIndex(isAnswered);
    return calls.map((call, i) =>
      i === at && call.receipt !== null
        ? { ...call, receipt: { ...call.receipt, ...change(call.receipt) } }
        : call,
    );
  };

const TAMPERED: Readonly<Record<string, Tamper>> = {
  "a receipt that the chain has and nobody was answered": (calls) => {
    const dropped = calls.find(isAnswered)?.event_id;
    return calls.filter(({ event_id }) => event_id !== dropped);
  },
  "a receipt that was answered and the chain has not": changing(() => ({ verdict: "BLOCK" })),
  "a receipt at another place": changing(({ sequence }) => ({ sequence: Number(sequence) + 1 })),
  "one call that was recorded twice": (calls) => {
    const [first, second] = calls.filter(isAnswered);
    return [...calls, { ...(second as JournalCall), idempotency_key: first?.idempotency_key ?? null }];
  },
};

test("the oracle finds each tampered journal, and nothing in the one as it is", async () => {
  const out = join(folder, "tampered");
  const options = readOptions([...TEN_SECONDS, "--out", out]) ?? expect.unreachable();
  const found: Record<string, boolean> = {};
  const holds = await hammer(options, async (run, keys) => {
    const lines = readFileSync(join(run, CALLS_FILE), "utf8").trimEnd().split("\n");
    const calls = lines.map((line): JournalCall => JSON.parse(line));
    for (const [name, tamper] of Object.entries(TAMPERED)) {
      const copy = mkdtempSync(join(folder, "copy-"));
      cpSync(run, copy, { recursive: true });
      const text = tamper(calls).map((call) => `${JSON.stringify(call)}\n`);
      writeFileSync(join(copy, CALLS_FILE), text.join(""));
      found[name] = !(await askOracle(copy, keys)).holds;
    }
    return askOracle(run, keys);
  });
  expect(found).toEqual(Object.fromEntries(Object.keys(TAMPERED).map((name) => [name, true])));
  expect(holds).toBe(true);
});
