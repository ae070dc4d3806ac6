// The oracle as a child process: what it printed, and what it found.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as z from "zod";
import { ORACLE_PATH } from "../../bench/hammer/ask-oracle.ts";

export const HAMMER = fileURLToPath(new URL("../../bench/hammer", import.meta.url));
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const resultSchema = z.strictObject({
  checks: z.array(
    z.strictObject({
      name: z.string(),
      count: z.int(),
      found: z.int(),
      findings: z.array(z.string()),
      unmade: z.string().nullable(),
    }),
  ),
  verdict: z.enum(["nothing found", "findings"]),
});
const start = promisify(execFile);

export interface Judged {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export type Result = z.infer<typeof resultSchema>;

export async function runOracle(args: readonly string[], keys?: string): Promise<Judged> {
  const env = { PATH: process.env.PATH, PYTHONPATH: ORACLE_PATH, PYTHONDONTWRITEBYTECODE: "1" };
  const options = {
    env: { ...env, ...(keys !== undefined && { HAMMER_KEY: keys }) },
    maxBuffer: MAX_OUTPUT_BYTES,
  };
  try {
    return { status: 0, ...(await start("python3", ["-m", "oracle", ...args], options)) };
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof code !== "number") throw error;
    return { status: code, stdout, stderr };
  }
}

/** What the oracle wrote beside the run. */
export const resultOf = (folder: string): Result =>
  resultSchema.parse(JSON.parse(readFileSync(join(folder, "oracle.json"), "utf8")));

/** The findings of a run by the names of their checks. */
export const findingsOf = (result: Result): Map<string, readonly string[]> =>
  new Map(result.checks.filter(({ found }) => found > 0).map(({ name, findings }) => [name, findings]));
