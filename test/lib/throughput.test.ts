// The page of throughput: its tables are what the committed rows say; and the parts of the bench that decide by themselves.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fillPage } from "../../bench/cost/markdown.ts";
import { transactionUnits } from "../../bench/throughput/delays.ts";
import { COST_ROWS, isSameRow, SHOWN_ROWS, SOME_ROWS, WHOLE_ROWS } from "../../bench/throughput/grid.ts";
import { modelRow } from "../../bench/throughput/model.ts";
import { type MeasuredRun, renderThroughput } from "../../bench/throughput/page.ts";
import { exponential, randomOf, spread } from "../../bench/throughput/random.ts";
import type { LoadRow } from "../../bench/throughput/row.ts";
import { Timeline } from "../../bench/throughput/timeline.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const run: MeasuredRun = JSON.parse(read("bench/throughput/results.json"));

describe("the page", () => {
  test("has the tables that the committed rows come to", () => {
    const page = read("docs/throughput.md");
    expect(fillPage(page, renderThroughput(run))).toBe(page);
  });

  test("says that an aim is missed where its row shows that", () => {
    const slower = run.rows.map((row) => ({ ...row, measured: { ...row.measured, p99: 9_000 } }));
    const { aims = "" } = renderThroughput({ ...run, rows: slower });
    expect(aims).toContain("**missed**");
    expect(aims).not.toContain("**met**");
    expect(renderThroughput({ ...run, rows: [] }).aims).toContain("not measured");
  });
});

test.each([
  ["the short run", SOME_ROWS],
  ["the whole run", WHOLE_ROWS],
])("%s has the rows that the cost page needs, and each row once", (_, rows) => {
  for (const wanted of COST_ROWS) expect(rows.some((row) => isSameRow(row, wanted))).toBe(true);
  expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length);
});

test("the whole run has what the page shows", () => {
  expect(SHOWN_ROWS.filter((shown) => !WHOLE_ROWS.some((row) => isSameRow(row, shown)))).toEqual([]);
});

describe("the model", () => {
  const service = { macsInAppend: 1, macsInAnswer: 0, backoffCapMs: 400, remembersMs: 0 };
  const row: LoadRow = {
    runtime: "functions",
    processes: null,
    chains: 1,
    load: { kind: "open", perSecond: 10 },
    slowness: 1,
    authorityMs: null,
  };

  test("gives the same for the same seed", () => {
    expect(modelRow(row, service, 1)).toEqual(modelRow(row, service, 1));
    expect(modelRow(row, service, 1)).not.toEqual(modelRow(row, service, 2));
  });

  test("has nobody lose who is alone, and takes as long as its steps do", () => {
    const alone = modelRow({ ...row, load: { kind: "closed", callers: 1 } }, service, 1);
    expect(alone.lostRacesACall).toBe(0);
    expect(alone.p50).toBeGreaterThan(25);
    expect(alone.p50).toBeLessThan(36);
  });

  test("refuses calls where a chain is asked for more than it can take, and more chains take it", () => {
    const storm: LoadRow = { ...row, load: { kind: "open", perSecond: 60 } };
    expect(modelRow(storm, service, 1).unavailable).toBeGreaterThan(0);
    const spreadOut = modelRow({ ...storm, chains: 8 }, service, 1);
    expect(spreadOut.unavailable).toBe(0);
    expect(spreadOut.perSecond).toBeGreaterThan(55);
  });

  test("has environments lose that trust what they remember, though others have written since", () => {
    const trusting = modelRow(row, { ...service, remembersMs: 1_000 }, 1);
    expect(trusting.lostRacesACall).toBeGreaterThan(2 * modelRow(row, service, 1).lostRacesACall);
  });

  test("lets calls that meet in one process share a transaction", () => {
    const web = modelRow(
      { ...row, runtime: "web", processes: 1, load: { kind: "open", perSecond: 250 } },
      service,
      1,
    );
    expect(web.lostRacesACall).toBe(0);
    expect(web.perSecond).toBeGreaterThan(240);
  });
});

test("a timeline runs what is due in the order of its time, and what is new among it", () => {
  const time = new Timeline();
  const ran: string[] = [];
  const note = (name: string, then?: () => void) => () => {
    ran.push(`${name} ${time.now}`);
    then?.();
  };
  time.after(30, note("late"));
  time.after(
    10,
    note("first", () => time.after(5, note("between"))),
  );
  time.after(20, note("second"));
  time.after(99, note("never"));
  time.run(50);
  expect(ran).toEqual(["first 10", "between 15", "second 20", "late 30"]);
});

test("chance is repeated by its seed, and has the mean that it is asked for", () => {
  const random = randomOf(7);
  const meanOf = (draw: () => number): number =>
    Array.from({ length: 20_000 }, draw).reduce((sum, value) => sum + value, 0) / 20_000;
  expect(meanOf(() => exponential(random, 40))).toBeCloseTo(40, -1);
  expect(meanOf(() => spread(random, 16))).toBeCloseTo(16, 0);
  expect(randomOf(7)()).toBe(randomOf(7)());
});

test("a transaction takes two units for each begun kilobyte of each item", () => {
  const itemOf = (length: number) => ({
    TableName: "t",
    Item: { pk: { S: "a" }, b: { B: new Uint8Array(length) } },
  });
  const TransactItems = [{ Put: itemOf(10) }, { Put: itemOf(1_020) }, { Put: itemOf(1_021) }];
  expect(transactionUnits({ TransactItems })).toBe(2 + 2 + 4);
});
