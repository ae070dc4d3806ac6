// The Python package says the same as this one: its version, licence, fields and wordings. Needs no Python.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FIELDS_FILE, pythonFields } from "../../../build/python-fields.ts";
import { pythonWordings, WORDINGS_FILE } from "../../../build/python-wordings.ts";

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

test("the Python package has the wordings of the layers here; if not, run npm run python:wordings", () => {
  expect(readFileSync(WORDINGS_FILE, "utf8")).toBe(pythonWordings());
});

test("the Python package has the fields of the schemas here; if not, run npm run python:fields", () => {
  expect(readFileSync(FIELDS_FILE, "utf8")).toBe(pythonFields());
});

test("the Python package has the version and the licence of this one", () => {
  const { version } = JSON.parse(read("package.json"));
  expect(read("clients/python/src/disclosure_receipts/version.py")).toContain(`\nVERSION = "${version}"\n`);
  expect(read("clients/python/LICENSE")).toBe(read("LICENSE"));
});

test("the Python package has the error codes of the client here", () => {
  const codesIn = (path: string, list: RegExp): string[] =>
    list.exec(read(path))?.[1]?.match(/(?<=")[a-z_]+(?=")/g) ?? [];
  const codes = codesIn("clients/client/errors.ts", /const CODES = \[([\s\S]*?)\]/);
  expect(codes.length).toBeGreaterThan(10);
  expect(codesIn("clients/python/src/disclosure_receipts/errors.py", /Literal\[([\s\S]*?)\]/)).toEqual(codes);
});
