// The vectors of histories, as the command line judges them: every reader, every age of files, every entry that an operator
// could plant.
import { beforeAll, describe, expect, test } from "vitest";
import { checksInPython, hasPython } from "../../agreement/python.ts";
import { readJson, receipts, vector } from "./command-line.ts";

interface Row {
  readonly name: string;
  readonly reason: string;
  readonly file: string;
  readonly history: string | null;
  readonly log: string | null;
  readonly expected: Readonly<Record<string, boolean | string>>;
}
interface Said {
  readonly name: string;
  readonly ok: boolean | null;
  readonly reason?: string;
}

const NAMES = ["chain_history", "public_heads", "other_chains", "chain_links", "turn_links", "whole"];
const rows = readJson<Row[]>(vector("histories.json"));
const inTable = (checks: readonly Said[]) =>
  Object.fromEntries(
    checks.filter(({ name }) => NAMES.includes(name)).map(({ name, ok, reason }) => [name, ok ?? reason]),
  );

describe("a vector of a history", () => {
  test.each(rows)("$name: $reason", async ({ file, history, log, expected }) => {
    const given = [
      ...(history === null ? [] : ["--history", vector(history)]),
      ...(log === null ? [] : ["--metachain", vector(log), "--walk"]),
    ];
    const { stdout } = await receipts("verify", vector(file), ...given, "--json");
    const [{ checks }] = JSON.parse(stdout).files as [{ checks: Said[] }];
    expect(inTable(checks)).toEqual(expected);
  });
});

describe.skipIf(!hasPython)("a vector of a history in Python", () => {
  const files = rows.map(({ file, history, log }) => ({
    ...{ file: vector(file), published: {}, now: "2026-12-03T00:00:00Z" },
    ...(history !== null && { history: vector(history) }),
    ...(log !== null && { log: vector(log) }),
  }));
  let said: Said[][] = [];
  beforeAll(() => {
    said = checksInPython(files);
  });
  test.each(rows.map((row, i) => ({ ...row, i })))("$name: $reason", ({ i, expected }) => {
    expect(inTable(said[i] ?? [])).toEqual(expected);
  });
});

test("a history that ends before the receipt is told in the first line", async () => {
  const row = rows.find(({ name }) => name === "history-alone-older") ?? expect.unreachable();
  const given = ["--history", vector(row.history ?? "")];
  const { status, stdout } = await receipts("verify", vector(row.file), ...given, "--tsa-ca", "none");
  expect([status, stdout.split("\n")[0]]).toEqual([
    0,
    expect.stringMatching(
      /holds as far .*, but not against the history that you gave: what is at hand of it and of the log ends at entry 1\.$/,
    ),
  ]);
  const other = rows.find(({ name }) => name === "history-alone-of-others") ?? expect.unreachable();
  const both = await receipts("verify", vector(row.file), vector(other.file), ...given, "--tsa-ca", "none");
  expect(both.stdout.split("\n")[0]).toMatch(
    /^All 2 files hold .*, but not against the history that you gave/,
  );
});
