// No figure in README, docs and bench/results is stale: tables are what the kept results come to, each result was taken by
// the program that is here, and what pages state in their own words is what its source says.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fillPage } from "../../bench/cost/markdown.ts";
import { programDigest } from "../../bench/figures/about.ts";
import { BENCHES, moduleOf } from "../../bench/figures/catalogue.ts";
import { fillFromResults, resultsShownBy } from "../../bench/figures/pages.ts";
import { renderAll } from "../../bench/figures/render.ts";
import { readResults } from "../../bench/figures/result-files.ts";
import {
  constantIn,
  type FigureSource,
  figuresIn,
  isOfItsDay,
  STATED,
  valueOfFigure,
} from "../../bench/figures/stated.ts";
import { RECEIPT_FORMAT_VERSION } from "../../core/formats/receipt.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const pages = [
  "README.md",
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" }).map((name) => `docs/${name}`),
]
  .filter((name) => name.endsWith(".md"))
  .sort();
const results = readResults();

describe("the kept results", () => {
  test.each(results.map((result) => [result.name, result] as const))(
    "of %s were taken by the program that is here (else: npm run bench %s -- --write)",
    (name, { program, receiptFormat }) => {
      const bench = BENCHES.find((one) => one.name === name) ?? expect.fail(`no bench ${name}`);
      expect(program).toBe(programDigest(moduleOf(bench), bench.others ?? []));
      expect(receiptFormat).toBe(RECEIPT_FORMAT_VERSION);
    },
  );

  test("are of benches that exist", () => {
    const files = readdirSync(join(ROOT, "bench/results")).filter(
      (name) => name.endsWith(".json") && !name.startsWith("hammer"),
    );
    const known = BENCHES.map(({ name }) => `${name}.json`);
    expect(files.filter((name) => !known.includes(name))).toEqual([]);
  });

  test("are what their page shows (else: npm run bench -- --render)", () => {
    const page = read("bench/results/README.md");
    expect(fillPage(page, { results: renderAll(BENCHES, results) })).toBe(page);
  });
});

describe.each(pages)("%s", (name) => {
  const page = read(name);

  test("shows what the kept results say (else: npm run bench -- --render)", () => {
    expect(fillFromResults(page, results)).toBe(page);
  });

  test("shows no short run", () => {
    const short = results.filter(({ isQuick }) => isQuick).map((result) => result.name);
    expect(resultsShownBy(page).filter((shown) => short.includes(shown))).toEqual([]);
  });

  if (isOfItsDay(name)) return;
  test("states no other figure than those whose source is listed", () => {
    expect(figuresIn(page)).toEqual((STATED[name] ?? []).map(([figure]) => figure));
  });
});

test("every page with stated figures exists", () => {
  expect(Object.keys(STATED).filter((name) => !pages.includes(name))).toEqual([]);
});

test.each(
  Object.entries(STATED).flatMap(([page, stated]) =>
    stated.map(([figure, source]) => [page, figure, source] as const),
  ),
)("%s states %s as its source does", (_, figure, source: FigureSource) => {
  if ("constant" in source) {
    // "64 KiB or more is refused" is a limit of one byte less.
    expect(constantIn(read(source.file), source.constant)).toBe(valueOfFigure(figure));
  } else if ("words" in source) expect(read(source.file)).toContain(source.words);
  else expect(source.others).not.toBe("");
});
