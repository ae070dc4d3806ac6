// Mutation runs: which mutants are reported, the judgements on the others, and the texts that are not mutated.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { strykerPlugins } from "../bench/mutation/messages.ts";
import { type Judgement, survivorsOf } from "../bench/mutation/survivors.ts";

const readText = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
const judgements = JSON.parse(readText("bench/mutation/judgements.json")) as Judgement[];

test("a report names the mutants that no test noticed and nobody judged", () => {
  const place = (startLine: number, startColumn: number, endLine: number, endColumn: number) => ({
    start: { line: startLine, column: startColumn },
    end: { line: endLine, column: endColumn },
  });
  const mutants = [
    { status: "Survived", replacement: "1 & 0", location: place(3, 13, 3, 18) },
    { status: "Survived", replacement: "n * 2", location: place(2, 3, 2, 8) },
    { status: "NoCoverage", replacement: "null", location: place(1, 14, 2, 8) },
    { status: "Killed", replacement: "", location: place(1, 1, 1, 2) },
    { status: "Timeout", replacement: "", location: place(1, 1, 1, 2) },
    { status: "Ignored", replacement: "", location: place(1, 1, 1, 2) },
  ];
  const source = "const half = (n) =>\n  n / 2;\nconst one = 1 | 0;\n";
  const judged = { file: "a.ts", original: "n / 2", replacement: "n * 2", why: "nobody asks" };
  const elsewhere = { file: "b.ts", original: "1 | 0", replacement: "1 & 0", why: "nobody asks" };
  expect(survivorsOf({ files: { "a.ts": { source, mutants } } }, [judged, elsewhere])).toMatchObject({
    mutants: 5,
    survivors: [
      { file: "a.ts", line: 3, original: "1 | 0", replacement: "1 & 0" },
      { file: "a.ts", line: 1, original: "(n) =>\n  n / 2", replacement: "null" },
    ],
  });
});

test.each(judgements)("the judgement on $original of $file is about code that is there", (judgement) => {
  expect(readText(judgement.file)).toContain(judgement.original);
});

describe("a text for people", () => {
  const [{ value } = expect.unreachable()] = strykerPlugins;
  const text = { type: "StringLiteral" };
  const isIgnored = (type: string, callee: object, given: object[], node: object) =>
    value.shouldIgnore({ node, parent: { type, callee, arguments: given } } as never) !== undefined;

  test("is not mutated in the message of an error, and its code is", () => {
    const codeOfError = { type: "StringLiteral" };
    const given = [codeOfError, text];
    expect(isIgnored("NewExpression", { name: "DisclosureError" }, given, text)).toBe(true);
    expect(isIgnored("NewExpression", { name: "DisclosureError" }, given, codeOfError)).toBe(false);
  });

  test("is not mutated in a description, and is in every other call", () => {
    expect(isIgnored("CallExpression", { property: { name: "describe" } }, [text], text)).toBe(true);
    expect(isIgnored("CallExpression", { name: "utf8" }, [text], text)).toBe(false);
    const number = { type: "NumericLiteral" };
    expect(isIgnored("CallExpression", { name: "fail" }, [number], number)).toBe(false);
  });
});
