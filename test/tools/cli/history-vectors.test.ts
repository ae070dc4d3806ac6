// The vectors of histories, as the command line judges them: every reader, every age of files, every entry that an operator
// could plant.
import { describe, expect, test } from "vitest";
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

const NAMES = ["chain_history", "public_heads", "other_chains"];
const rows = readJson<Row[]>(vector("histories.json"));

describe("a vector of a history", () => {
  test.each(rows)("$name: $reason", async ({ file, history, log, expected }) => {
    const given = [
      ...(history === null ? [] : ["--history", vector(history)]),
      ...(log === null ? [] : ["--metachain", vector(log), "--walk"]),
    ];
    const { stdout } = await receipts("verify", vector(file), ...given, "--json");
    const [{ checks }] = JSON.parse(stdout).files as [{ checks: Said[] }];
    const said = checks.filter(({ name }) => NAMES.includes(name));
    expect(Object.fromEntries(said.map(({ name, ok, reason }) => [name, ok ?? reason]))).toEqual(expected);
  });
});
