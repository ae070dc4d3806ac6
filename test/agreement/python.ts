// The word of the verifier in Python, which shares nothing with the others but the page that describes the format.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Row, Verdict } from "./rows.ts";

export const PROGRAM = fileURLToPath(new URL("../../examples/verify.py", import.meta.url));
const DRIVER = fileURLToPath(new URL("agree.py", import.meta.url));
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** As the verifier prints it: whether all that matters could be checked is a verdict of its own. */
interface Answer extends Omit<Verdict, "verdict"> {
  readonly verdict: Verdict["verdict"] | "holds_so_far";
}

/** Whether there is a Python to ask; `npm test` needs none. */
export const hasPython = spawnSync("python3", ["--version"]).status === 0;

/** All rows in one process, in their order. */
export function askPython(rows: readonly Row[]): Verdict[] {
  const input = JSON.stringify(rows);
  const { status, stdout, stderr } = spawnSync("python3", [DRIVER, PROGRAM], {
    input,
    encoding: "utf8",
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  if (status !== 0) throw new Error(`the verifier in Python failed: ${stderr}`);
  return (JSON.parse(stdout) as Answer[]).map((answer, i) => inTable(answer, rows[i]?.kind));
}

/** The table does not tell the two verdicts apart, and no row of a seal says whether it is the published one. */
const inTable = ({ verdict, failing, unmade }: Answer, kind: Row["kind"] | undefined): Verdict => ({
  verdict: verdict === "holds_so_far" ? "holds" : verdict,
  failing,
  unmade: kind === "seal" ? unmade.filter((name) => name !== "published_root") : unmade,
});
