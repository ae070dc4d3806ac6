// One table of sets of files, one word: the command line, the package, the page and the verifier in Python come to the same
// outcome, strays and summary, file by file and check by check.
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { hasPython } from "./python.ts";
import { askCommandLine } from "./set-command-line.ts";
import { askPackage, askPage, onThePage, withoutChecks } from "./set-programs.ts";
import { askPython, isForPython } from "./set-python.ts";
import { type SetRow, setRows, withoutExit } from "./sets.ts";

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterAll(() => {
  vi.useRealTimers();
});

const setClock = ({ now }: SetRow) => vi.setSystemTime(new Date(now));
/** A set without evidence is refused in one line. */
const saidByProgram = ({ expected }: SetRow) => ({
  exit: expected.exit,
  said: expected.files.length === 0 ? null : withoutExit(expected),
});
const cases = setRows.map((row) => [row.name, row] as const);

test("the table has sets enough, each with a name of its own", () => {
  expect(new Set(setRows.map(({ name }) => name)).size).toBe(setRows.length);
  expect(setRows.length).toBeGreaterThanOrEqual(60);
});

describe("the command line", () => {
  test.each(cases)("%s", async (_, row) => {
    setClock(row);
    expect(await askCommandLine(row)).toEqual(saidByProgram(row));
  });
});

describe("the package", () => {
  test.each(cases.filter(([, { options }]) => options.history === null))("%s", async (_, row) => {
    expect(await askPackage(row)).toEqual(withoutExit(row.expected));
  });
});

describe("the page", () => {
  test.each(cases.filter(([, { options }]) => options.wording === null))("%s", async (_, row) => {
    const { said, joined } = await askPage(row);
    expect(withoutChecks(said, joined)).toEqual(withoutChecks(onThePage(row), joined));
  });
});

describe.skipIf(!hasPython)("the verifier in Python", () => {
  test.each(cases.filter(([, row]) => isForPython(row)))("%s", async (_, row) => {
    expect(await askPython(row)).toEqual(saidByProgram(row));
  });
});
