// The page of the hammer's long runs shows what the kept results come to, and hides no run that found something.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { fillPage } from "../../bench/cost/markdown.ts";
import { FAULT_NAMES } from "../../bench/hammer/faults/names.ts";
import { type RunResult, renderRuns, runResultSchema } from "../../bench/hammer/show/seeds-page.ts";

const read = (name: string): string =>
  readFileSync(new URL(`../../bench/results/${name}`, import.meta.url), "utf8");
const kept = z.array(runResultSchema).parse(JSON.parse(read("hammer.json")));

test("the page shows the kept results", () => {
  const page = read("hammer.md");
  expect(fillPage(page, { runs: renderRuns(kept) })).toBe(page);
});

test("no seed is kept twice, and each run was judged", () => {
  expect(new Set(kept.map(({ seed }) => seed)).size).toBe(kept.length);
  expect(kept.filter(({ oracle }) => oracle === null)).toEqual([]);
});

test("each run is of the kind that the page says", () => {
  const longRun = { minutes: 10, callers: 64, tenants: 4, chains: 1, processes: 2, faults: FAULT_NAMES };
  expect(kept.map(({ options }) => options)).toEqual(kept.map(() => longRun));
});

describe("a row", () => {
  const run: RunResult = {
    date: "2026-11-23T09:00:57.613Z",
    machine: "a machine",
    commit: "0123456",
    seed: 7,
    options: { minutes: 10, callers: 64, tenants: 4, chains: 1, processes: 2, faults: ["kill"] },
    figures: {
      attestations: 12_345,
      perSecond: 20.57,
      openCalls: 0,
      kinds: [
        { kind: "attest", calls: 13_000, p50: 837.9, p99: 8476.2 },
        { kind: "report", calls: 8, p50: 1569.5, p99: 9499.6 },
        { kind: "checkpoint", calls: 0, p50: null, p99: null },
      ],
      retries: 19,
      lostRaces: null,
      faults: { fails: 22, kill: 2 },
    },
    findings: [],
    oracle: {
      checks: [
        { name: "none lost", count: 12_345, found: 1 },
        { name: "tokens", count: 88, found: 2 },
      ],
    },
    holds: false,
  };

  test("tells receipts, rate, latencies, faults, checks, and both kinds of findings", () => {
    const cells = renderRuns([run]).split("\n").at(-1)?.split("|").slice(1, -1);
    expect(cells?.map((cell) => cell.trim())).toEqual([
      ...["7", "12,345", "20.6", "838", "8,476", "19", "–", "24", "8", "12,433", "1", "2"],
      "2026-11-23, 0123456, a machine",
    ]);
  });

  test("of a run that nobody judged is none", () => {
    expect(() => renderRuns([{ ...run, oracle: null }])).toThrow("no oracle has judged");
  });
});
