// docs/when-to-disclose.md names wordings and methods that there are, and each method.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { policyLayers } from "../../evidence/policy/index.ts";
import { findWording } from "../../evidence/policy/wordings.ts";

const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "when-to-disclose.md"), "utf8");
const METHOD = /`((?:spoken|written|visual|reported)_[a-z_]+)`/g;
const WORDING = /`(de-[a-z0-9-]+)`/g;
const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = ""]) => found);

const active = policyLayers.filter(({ status }) => status === "active");
const known = active.flatMap(({ disclosure_methods }) => disclosure_methods);
const methods = new Set(known.map(({ id }) => id));
/** Methods that say how the record came about, and fit any situation. */
const reported = new Set(known.filter((method) => method.reported).map(({ id }) => id));

test("every method is explained, and no other", () => {
  expect([...new Set(all(page, METHOD))].sort()).toEqual([...methods].sort());
  const explained = page.split("\n").flatMap((line) => all(line, /^\| `([a-z_]+)` \| [a-z]/g));
  expect(explained.sort()).toEqual([...methods].sort());
});

test.each(all(page, WORDING))("%s is a wording that is in use", (id) => {
  expect(findWording(id)?.wording.retired_on).toBeNull();
});

const rows = page.split("\n").filter((line) => line.startsWith("|") && all(line, WORDING).length > 0);

test.each(rows)("the methods fit the wordings: %s", (row) => {
  const wordings = all(row, WORDING).map((id) => findWording(id)?.wording ?? expect.unreachable(id));
  const direct = wordings.flatMap((wording) => wording.methods).filter((id) => !reported.has(id));
  expect([...new Set(direct)].sort()).toEqual(all(row, METHOD).sort());
});
