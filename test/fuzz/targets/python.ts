// The verifier in Python beside ours: it shares nothing with it but the page that describes the format.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { mutantRows } from "../../agreement/mutant-rows.ts";
import { askPython, hasPython } from "../../agreement/python.ts";
import { askReader } from "../../agreement/reader.ts";
import type { RunOptions, Target } from "../target.ts";

export const pythonTarget: Target = {
  name: "python",
  runs: 1_000,
  run: async ({ seed, runs }: RunOptions) => {
    if (!hasPython) throw new Error("there is no python3 to ask");
    const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-"));
    try {
      await compare(folder, { seed, runs });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function compare(folder: string, { seed, runs }: RunOptions): Promise<void> {
  const rows = mutantRows(folder, seed, runs);
  const theirs = askPython(rows);
  for (const [i, row] of rows.entries()) {
    const ours = await askReader(row);
    if (isDeepStrictEqual(ours, theirs[i])) continue;
    const content = readFileSync(row.file).toString("base64");
    throw new Error(
      `${row.name}, changed to (base64) ${content}: ours says ${JSON.stringify(ours)}, Python ${JSON.stringify(theirs[i])}`,
    );
  }
}
