// All verifiers at once: what each says of a row.
import { afterAll, beforeAll, vi } from "vitest";
import { notice } from "../support/notice.ts";
import { askCommandLine } from "./command-line.ts";
import { askPage } from "./page.ts";
import { askPython, hasPython } from "./python.ts";
import { askReader } from "./reader.ts";
import type { Row, Verdict } from "./rows.ts";

if (!hasPython) notice("There is no python3, so the verifier in Python is not asked.");

export interface Asked extends Row {
  /** What the verifier in Python says, where there is a Python. */
  readonly python: Verdict | undefined;
}

export interface Answers {
  readonly reader: Verdict;
  readonly commandLine: Verdict;
  readonly page: Verdict;
  readonly python: Verdict | undefined;
}

/** The command line has the clock of the process, which is set to each row's. */
export function useClock(): void {
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ["Date"] });
  });
  afterAll(() => {
    vi.useRealTimers();
  });
}

/** Python is asked about all rows at once. */
export function ask(rows: readonly Row[]): Asked[] {
  const python = hasPython ? askPython(rows) : [];
  return rows.map((row, i) => ({ ...row, python: python[i] }));
}

export async function answersTo({ python, ...row }: Asked): Promise<Answers> {
  vi.setSystemTime(row.now);
  return {
    reader: await askReader(row),
    commandLine: await askCommandLine(row),
    page: await askPage(row),
    python,
  };
}

export const everywhere = (verdict: Verdict): Answers => ({
  reader: verdict,
  commandLine: verdict,
  page: verdict,
  python: hasPython ? verdict : undefined,
});
