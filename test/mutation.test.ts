// What is kept of a mutation run: the counts, and every mutant that no test noticed, with the judgement on it.
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FOLDERS } from "../bench/mutation/folders.ts";
import { strykerPlugins } from "../bench/mutation/messages.ts";
import {
  type MutationResults,
  type StrykerReport,
  summarize,
  survivorsOf,
  withFile,
} from "../bench/mutation/report.ts";
import { formatSurvivors, type Judgement, judgementOn } from "../bench/mutation/survivors.ts";

const HERE = new URL("../bench/mutation/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, HERE), "utf8");

const SOURCE = "const half = (n) =>\n  n / 2;\nconst one = 1 | 0;\n";
const at = (line: number, from: number, to: number, endLine = line) => ({
  start: { line, column: from },
  end: { line: endLine, column: to },
});
const mutant = (status: string, location: ReturnType<typeof at>) => ({
  mutatorName: "ArithmeticOperator",
  replacement: "n * 2",
  status,
  location,
});
const report: StrykerReport = {
  files: {
    "core/b.ts": {
      source: SOURCE,
      mutants: [mutant("Survived", at(3, 13, 18)), mutant("Killed", at(1, 1, 2))],
    },
    "core/a.ts": {
      source: SOURCE,
      mutants: [
        mutant("NoCoverage", at(1, 14, 8, 2)),
        mutant("Timeout", at(2, 3, 8)),
        mutant("Ignored", at(2, 3, 8)),
        mutant("Survived", at(2, 3, 8)),
      ],
    },
  },
};

describe("a report of StrykerJS", () => {
  test("is counted without what was left out; a mutant that never ends was noticed", () => {
    expect(summarize(report)).toEqual({
      mutants: 5,
      killed: 1,
      survived: 2,
      timeout: 1,
      noCoverage: 1,
      score: 40,
    });
  });

  test("has its survivors in the order of the sources, each with the code that was changed", () => {
    expect(
      survivorsOf(report).map(({ file, line, original, isCovered }) => [file, line, original, isCovered]),
    ).toEqual([
      ["core/a.ts", 1, "(n) =>\n  n / 2", false],
      ["core/a.ts", 2, "n / 2", true],
      ["core/b.ts", 3, "1 | 0", true],
    ]);
  });
});

describe("a folder", () => {
  const run = { date: "2026-11-23", commit: "0", machine: "m" };
  const only = (file: string): StrykerReport => ({
    files: { [file]: report.files[file] ?? expect.unreachable() },
  });
  const sources = ["core/a.ts", "core/b.ts", "core/c.ts"];
  const one = withFile(undefined, sources, "core/b.ts", only("core/b.ts"), run);
  const both = withFile(one, sources, "core/a.ts", only("core/a.ts"), run);

  test("is the sum of its files, and says which were not tried", () => {
    expect(both).toMatchObject(summarize(report));
    expect(both.survivors).toEqual(survivorsOf(report));
    expect([one.untried, both.untried]).toEqual([["core/a.ts", "core/c.ts"], ["core/c.ts"]]);
  });

  test("forgets what was found in a file before, and all of a file that is gone", () => {
    expect(withFile(both, sources, "core/b.ts", only("core/b.ts"), run)).toEqual(both);
    const withoutB = withFile(both, ["core/a.ts"], "core/a.ts", only("core/a.ts"), run);
    expect(withoutB.survivors.map(({ file }) => file)).toEqual(["core/a.ts", "core/a.ts"]);
    expect(withoutB).toMatchObject({ mutants: 3, untried: [] });
  });
});

describe("the page of survivors", () => {
  const run = {
    ...summarize(report),
    files: {},
    untried: ["core/c.ts"],
    date: "2026-11-23",
    commit: "0",
    machine: "m",
    survivors: survivorsOf(report),
  };
  const judgement = { file: "core/a.ts", original: "n / 2", replacement: "n * 2", why: "nobody asks" };
  const page = formatSurvivors({ folders: { core: run } }, [judgement]);

  test("says how many are judged, and why", () => {
    expect(page).toContain("40 % of 5 mutants were noticed on 2026-11-23. Of the 3 others, 1 are judged");
    expect(page).toContain("| core/a.ts:2 | `` n / 2 `` | `` n * 2 `` | nobody asks |");
    expect(page).toContain("| core/a.ts:1 | `` (n) => n / 2 `` | `` n * 2 `` | no test runs it |");
  });

  test("keeps a pipe from ending its cell", () => {
    expect(page).toContain("`` 1 \\| 0 ``");
  });

  test.runIf(existsSync(new URL("results.json", HERE)))(
    "is that of the results, and each judgement is on one",
    () => {
      const results = JSON.parse(read("results.json")) as MutationResults;
      const judgements = JSON.parse(read("judgements.json")) as Judgement[];
      expect(read("survivors.md")).toBe(formatSurvivors(results, judgements));
      const survivors = Object.values(results.folders).flatMap((folder) => folder.survivors);
      const used = new Set(survivors.map((survivor) => judgementOn(survivor, judgements)));
      expect(judgements.filter((one) => !used.has(one))).toEqual([]);
      expect(Object.keys(results.folders).filter((folder) => !(folder in FOLDERS))).toEqual([]);
    },
  );
});

describe("a text for people", () => {
  const [{ value } = expect.unreachable()] = strykerPlugins;
  const text = { type: "StringLiteral" };
  const isIgnored = (type: string, callee: object, given: object[], node: object) =>
    value.shouldIgnore({ node, parent: { type, callee, arguments: given } } as never) !== undefined;

  test("is let be in the message of an error, and its code is not", () => {
    const codeOfError = { type: "StringLiteral" };
    const given = [codeOfError, text];
    expect(isIgnored("NewExpression", { name: "DisclosureError" }, given, text)).toBe(true);
    expect(isIgnored("NewExpression", { name: "DisclosureError" }, given, codeOfError)).toBe(false);
  });

  test("is let be in a description, and mutated in every other call", () => {
    expect(isIgnored("CallExpression", { property: { name: "describe" } }, [text], text)).toBe(true);
    expect(isIgnored("CallExpression", { name: "utf8" }, [text], text)).toBe(false);
    expect(
      isIgnored("CallExpression", { name: "fail" }, [{ type: "NumericLiteral" }], { type: "NumericLiteral" }),
    ).toBe(false);
  });
});
