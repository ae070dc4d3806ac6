// The parts of the benches that decide by themselves: how results are shown, what counts as stale, and the command line.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { programDigest } from "../../bench/figures/about.ts";
import { BENCHES, moduleOf, PAGE_PROGRAMS } from "../../bench/figures/catalogue.ts";
import { fillFromResults, resultsShownBy } from "../../bench/figures/pages.ts";
import { formatValue, renderAll, renderFigure, renderRows } from "../../bench/figures/render.ts";
import {
  type BenchResult,
  columnsOf,
  type Figure,
  meetsAim,
  resultSchema,
} from "../../bench/figures/result.ts";
import { constantIn, figuresIn, valueOfFigure } from "../../bench/figures/stated.ts";

const PROGRAM = join(import.meta.dirname, "../../bench/bench.ts");
const run = promisify(execFile);
const bench = (...words: string[]) => run(process.execPath, [PROGRAM, ...words]);

const figure: Figure = { key: "rate", what: "calls", value: 1_234.5, unit: "/s", aim: { atLeast: 1_000 } };
const result: BenchResult = {
  name: "example",
  isQuick: false,
  date: "2026-11-23T08:00:00.000Z",
  seconds: 12,
  machine: { processor: "a processor", cores: 2, memoryGb: 24, system: "Linux 6", load: 0.2 },
  commit: "abc1234",
  seed: 7,
  program: "sha256:0",
  receiptFormat: "1.0",
  versions: { node: "24.0.0" },
  columns: columnsOf(["what", "text"], ["callers", "count"], ["took", "ms"], ["of it", "share"]),
  rows: [
    ["one", 1, 0.01234, 0.5],
    ["many", 10_000, null, 0.123],
  ],
  figures: [figure],
  skipped: ["a peer that is not here"],
};

describe("a result", () => {
  test("is shown with texts on the left, numbers on the right, and a dash where nothing was measured", () => {
    expect(renderRows(result).split("\n")).toEqual([
      "| what | callers | took, ms | of it, % |",
      "| --- | ---: | ---: | ---: |",
      "| one | 1 | 0.0123 | 50 |",
      "| many | 10,000 | – | 12.3 |",
    ]);
  });

  test("is shown on its page with where, when and by what it was taken", () => {
    const entry = { name: "example", title: "an example", how: "By hand." };
    const page = renderAll([entry, { ...entry, name: "other" }], [result]);
    for (const part of [
      "commit `abc1234`",
      "2026-11-23",
      "seed 7",
      "a processor × 2",
      "load 0.2",
      "node 24.0.0",
      "By hand.",
    ])
      expect(page).toContain(part);
    expect(page).toContain("- Skipped: a peer that is not here");
    expect(page).toMatch(/## other: [^#]*Not measured yet\./);
    expect(renderAll([entry], [{ ...result, isQuick: true }])).toContain("count for nothing");
  });

  test("is refused where a member is missing", () => {
    const { commit: _commit, ...rest } = result;
    expect(resultSchema.safeParse(result).success).toBe(true);
    expect(resultSchema.safeParse(rest).success).toBe(false);
  });

  test.each([
    [{ atLeast: 1_000 }, "**1,235/s** (aim: at least 1,000/s: **met**)"],
    [{ atLeast: 2_000 }, "**1,235/s** (aim: at least 2,000/s: **missed**)"],
    [{ atMost: 1_000 }, "**1,235/s** (aim: at most 1,000/s: **missed**)"],
  ])("says whether the aim %j is met", (aim, words) => {
    expect(renderFigure({ ...figure, aim })).toBe(`- calls: ${words}`);
  });

  test("says of what was not measured neither that its aim is met nor that it is missed", () => {
    expect(meetsAim({ ...figure, value: null })).toBeNull();
    expect(renderFigure({ ...figure, value: null })).toContain("not measured");
  });

  test("has its values with their units", () => {
    expect(formatValue(0.856, "share")).toBe("85.6 %");
    expect(formatValue(1.5, "times")).toBe("1.5 ×");
    expect(formatValue(null, "ms")).toBe("–");
  });
});

describe("a page", () => {
  const page = "A call takes <!-- figure example rate -->99/s<!-- /figure --> here.";

  test("gets the numbers that the results say, within its sentences", () => {
    expect(fillFromResults(page, [result])).toBe(page.replace("99/s", "1,235/s"));
  });

  test("gets a whole result between its markers, in place of an older one", () => {
    const filled = fillFromResults("<!-- bench example -->\nold\n<!-- /bench example -->", [result]);
    expect(filled).not.toContain("old");
    expect(filled).toContain("| many | 10,000 | – | 12.3 |");
    expect(fillFromResults(filled, [result])).toBe(filled);
    expect(resultsShownBy(filled + page)).toEqual(["example", "example"]);
  });

  test("is refused where it shows what no result has", () => {
    expect(() => fillFromResults(page, [])).toThrow("bench/results/example.json");
    const other = page.replace("example rate", "example other");
    expect(() => fillFromResults(other, [result])).toThrow("other");
  });

  test("is searched for figures in its own words, not for those that are filled", () => {
    const text = `${page} It takes 0.5 ms, 1.0–1.6 ms or 4 µs; 8 KiB and 2,000 MB; 50/s. Not 10 minutes, 24 hours, 3 MBits.`;
    expect(figuresIn(text)).toEqual(["0.5 ms", "1.0–1.6 ms", "4 µs", "8 KiB", "2,000 MB", "50/s"]);
  });

  test("is compared with the constants that it states", () => {
    const source = "/** Bytes. */\nexport const MAX_BYTES = 8 * 1024;\nconst MAX_PAGE: number = 250_000;\n";
    expect(constantIn(source, "MAX_BYTES")).toBe(valueOfFigure("8 KiB"));
    expect(constantIn(source, "MAX_PAGE")).toBe(valueOfFigure("250 KB"));
    expect(constantIn(source, "MAX")).toBeNaN();
    expect(valueOfFigure("9 KiB")).not.toBe(constantIn(source, "MAX_BYTES"));
  });
});

describe("the digest of a bench's program", () => {
  test("is another one for each bench, and for other files that it runs", () => {
    const digests = BENCHES.map((entry) => programDigest(moduleOf(entry), entry.others ?? []));
    expect(new Set(digests).size).toBe(BENCHES.length);
    const [module] = BENCHES.map(moduleOf);
    expect(programDigest(module ?? null, ["bench/prices.json"])).not.toBe(programDigest(module ?? null, []));
  });
});

describe("the command", () => {
  test("lists every bench by its name", async () => {
    const { stdout } = await bench("--list");
    const names = stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split(" ")[0]);
    expect(names).toEqual([...BENCHES, ...PAGE_PROGRAMS].map(({ name }) => name));
  });

  test.each([[["nothing"]], [["--seed", "x"]], [["--unknown"]]])(
    "refuses %j with one line",
    async (words) => {
      const { code, stderr } = await bench(...words).catch((error) => error);
      expect(code).toBe(2);
      expect(stderr.trim().split("\n")).toHaveLength(1);
    },
  );

  test("runs a bench and shows its rows, its aims and that a short run counts for nothing", async () => {
    const { stdout } = await bench("history", "--quick");
    expect(stdout).toContain("== history");
    expect(stdout).toContain("count for nothing");
    expect(stdout).toMatch(/\| 5,000 \| 100,000 \| [\d.]+ \|/);
    expect(stdout).toMatch(/aim: at most 5 s: \*\*(met|missed)\*\*/);
  });
});
