// The word of the verifier in Python, which shares nothing with the others but the page that describes the format.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Row, type Verdict, verdictOf } from "./evidence-rows.ts";

const SOURCES = fileURLToPath(new URL("../../clients/python/src", import.meta.url));
/** The program as it is used from a checkout, without an installation. */
export const PROGRAM: readonly string[] = ["-B", "-m", "disclosure_receipts", "verify"];
/** Of the caller's environment nothing but the way to Python, which is to find the sources here. */
export const PYTHON_ENVIRONMENT = { PATH: process.env.PATH, PYTHONPATH: SOURCES };
const DRIVER = fileURLToPath(new URL("agree.py", import.meta.url));
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Whether there is a Python 3.10 to ask; `npm test` needs none. */
export const hasPython =
  spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 10))"]).status === 0;

/** All rows in one process, in their order. */
export const askPython = (rows: readonly Row[]): Verdict[] =>
  (run(rows) as Verdict[]).map((verdict, i) => inTable(verdict, rows[i]?.kind));

/** All checks of evidence with a history of its chains, or a log, with the reasons of the open ones. */
export const checksInPython = (rows: readonly object[]) => run(rows, "checks");

function run(rows: readonly object[], ...args: readonly string[]) {
  const input = JSON.stringify(rows);
  const { status, stdout, stderr } = spawnSync("python3", ["-B", DRIVER, ...args], {
    input,
    env: PYTHON_ENVIRONMENT,
    encoding: "utf8",
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  if (status !== 0) throw new Error(`the verifier in Python failed: ${stderr}`);
  return JSON.parse(stdout);
}

/** No row of a seal says whether it is the one that is published. */
function inTable(said: Verdict, kind: Row["kind"] | undefined): Verdict {
  if (kind !== "seal" || said.verdict === "unreadable") return said;
  return verdictOf(
    said.failing,
    said.unmade.filter((name) => name !== "published_root"),
  );
}
