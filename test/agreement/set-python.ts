// A set of files in the hands of the verifier in Python, as a program. Its clock is the machine's: nothing in the table runs
// out before 2046.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { PROGRAM, PYTHON_ENVIRONMENT } from "./python.ts";
import { layDown, saidInReport } from "./set-command-line.ts";
import type { Said, SetRow } from "./sets.ts";

/** It is given published roots as files, so it can't be told that nothing is published under a number. */
export const isForPython = ({ published }: SetRow): boolean => !Object.values(published ?? {}).includes(null);

export async function askPython(row: SetRow): Promise<{ exit: object; said: Said | null }> {
  const { options, published } = row;
  const seals = Object.values(published ?? {}).filter((file) => file !== null);
  const given = { ...row, published: null, options: { ...options, seals: [...options.seals, ...seals] } };
  const { args, fileOf } = layDown(given, []);
  const [plain, strict] = await Promise.all([run(...args, "--json"), run(...args, "--strict")]);
  return {
    exit: { plain: plain.status, strict: strict.status },
    said: plain.stdout === "" ? null : saidInReport(plain.stdout, fileOf),
  };
}

async function run(...args: readonly string[]): Promise<{ status: number | null; stdout: string }> {
  const child = spawn("python3", [...PROGRAM, ...args], {
    env: PYTHON_ENVIRONMENT,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [[status], stdout] = await Promise.all([once(child, "close"), text(child.stdout)]);
  return { status, stdout };
}
