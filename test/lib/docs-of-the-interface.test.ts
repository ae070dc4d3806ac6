// docs/interface-coverage.md names tests that exist, and the pages claim nothing that the interface document forbids.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const DOCS = join(import.meta.dirname, "..", "..", "docs");
const coverage = readFileSync(join(DOCS, "interface-coverage.md"), "utf8");
const CITED = /\[[^\]]+\]\(\.\.\/(test\/[^)]+)\): "([^"]+)"/g;

const cited = [...coverage.matchAll(CITED)].map(([, file = "", title = ""]) => ({ file, title }));
const rows = coverage.split("\n").filter((line) => /^\| (?!what it says|---)/.test(line));

test("each sentence of the interface document names a test, or says why there is none", () => {
  expect(rows.length).toBeGreaterThan(45);
  for (const row of rows) expect(row).toMatch(/\.\.\/test\/|operator|No behaviour/);
});

test.each(cited)("$file has the test: $title", ({ file, title }) => {
  const path = join(DOCS, "..", file);
  expect(existsSync(path)).toBe(true);
  expect(readFileSync(path, "utf8")).toContain(`"${title}"`);
});

test("every section of the interface document is there", () => {
  const sections = [...coverage.matchAll(/^## (\d)\. /gm)].map(([, number]) => Number(number));
  expect(sections).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test("no page calls the service's timestamp qualified, but to say that it is not", () => {
  const pages = readdirSync(DOCS).filter((name) => name.endsWith(".md"));
  const claims = pages.flatMap((name) =>
    readFileSync(join(DOCS, name), "utf8")
      .split(/(?<=[.;])\s|\n\n/)
      .filter((sentence) => /qualified[^.]*timestamp/i.test(sentence))
      .filter((sentence) => !/\b(?:not?|nor|non|never|without|elsewhere|Article 41|only)\b/i.test(sentence))
      .map((sentence) => `${name}: ${sentence}`),
  );
  expect(claims).toEqual([]);
});
