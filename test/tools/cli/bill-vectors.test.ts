// The vectors of bills, as the command line judges them: the good ones hold, and of each forged one the right checks fail.
import { describe, expect, test } from "vitest";
import { readJson, receipts, vector } from "./command-line.ts";

interface Row {
  readonly file: string;
  readonly mirror: string;
  readonly history: string;
  readonly expected: "holds" | "does_not_hold";
  readonly failing: readonly string[];
  readonly reason: string;
}

const rows = readJson<Row[]>(vector("bills.json"));

describe("a vector of a bill", () => {
  test.each(rows)("$file: $reason", async ({ file, mirror, history, expected, failing }) => {
    const given = ["--metachain", vector(mirror), "--history", vector(history)];
    const { status, stdout } = await receipts("bill", "verify", vector(file), ...given, "--json", "--strict");
    const { verdict, checks } = JSON.parse(stdout);
    const failed = checks.filter(({ ok }: { ok: boolean | null }) => ok === false);
    expect(failed.map(({ name }: { name: string }) => name)).toEqual(failing);
    expect([verdict, status]).toEqual([expected, expected === "holds" ? 0 : 1]);
  });
});
