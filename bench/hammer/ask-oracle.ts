// Has the oracle judge a run: a Python program on the package's verifier, which shares no code with the service.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";

/** The folders of the oracle's package, and of the Python package with its verifier. */
export const ORACLE_PATH = ["./", "../../clients/python/src"]
  .map((folder) => fileURLToPath(new URL(folder, import.meta.url)))
  .join(delimiter);
const PROGRAM = fileURLToPath(new URL("./oracle/__main__.py", import.meta.url));
const VERDICT_FILE = "oracle.json";
/** The keys of a deployment, which are written nowhere; with commas between them, in the tenants' order. */
const KEY_VARIABLE = "HAMMER_KEY";

const verdictSchema = z.looseObject({
  checks: z.array(
    z.looseObject({
      name: z.string(),
      count: z.number(),
      findings: z.array(z.unknown()),
      /** The reason why the check could not be made. */
      unmade: z.string().nullish(),
    }),
  ),
  verdict: z.unknown(),
});
export type OracleVerdict = z.infer<typeof verdictSchema>;

export interface OracleAnswer {
  /** True where the oracle found nothing. */
  readonly holds: boolean;
  readonly verdict: OracleVerdict | null;
}

/** `keys` are null for a local run, whose folder has them. */
export async function askOracle(out: string, keys: readonly string[] | null): Promise<OracleAnswer> {
  if (!existsSync(PROGRAM)) {
    console.log(`the oracle is missing: there is no ${PROGRAM}, so nothing was judged`);
    return { holds: false, verdict: null };
  }
  const env = {
    ...process.env,
    PYTHONPATH: ORACLE_PATH,
    PYTHONDONTWRITEBYTECODE: "1",
    ...(keys !== null && { [KEY_VARIABLE]: keys.join(",") }),
  };
  // The oracle's own table is not shown: the run's table has all of it.
  const child = spawn("python3", ["-m", "oracle", out], { env, stdio: ["ignore", "ignore", "inherit"] });
  // `once` rejects where there is no python3.
  const [code] = await once(child, "exit").catch((error: unknown) => {
    console.log(`the oracle did not run: ${error}`);
    return [null];
  });
  return { holds: code === 0, verdict: readVerdict(join(out, VERDICT_FILE)) };
}

function readVerdict(file: string): OracleVerdict | null {
  return existsSync(file) ? verdictSchema.parse(JSON.parse(readFileSync(file, "utf8"))) : null;
}
