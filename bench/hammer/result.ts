// The files of a run: run.json is for the oracle, result.json and picture.svg are its results.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { machine } from "../measuring.ts";
import type { RunFinding } from "./load/findings.ts";
import { type HammerOptions, WrongOptions } from "./options.ts";
import type { LoadTenant } from "./world/tenants.ts";

export const RUN_FILE = "run.json";
export const RESULT_FILE = "result.json";
const PICTURE_FILE = "picture.svg";
const RUN_FORMAT = "hammer-run/1";
const OWNER_ONLY = 0o700;
const SECRET = 0o600;

/** The folder of the run, which holds keys: it is the owner's alone. Throws `WrongOptions`. */
export function makeOut(wanted: string | undefined): string {
  if (wanted === undefined) return mkdtempSync(join(tmpdir(), "hammer-"));
  const out = resolve(wanted);
  if (existsSync(out))
    throw new WrongOptions(`--out must name a folder that is not there yet, and ${out} is`);
  mkdirSync(out, { recursive: true, mode: OWNER_ONLY });
  chmodSync(out, OWNER_ONLY);
  return out;
}

export interface RunDescription {
  readonly url: string;
  readonly options: HammerOptions;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly tenants: readonly LoadTenant[];
  readonly trustAnchorsFile: string;
  readonly logVkey: string | null;
  /** The vkeys of the witnesses whose cosignatures must hold. */
  readonly witnessKeys: readonly string[];
  readonly erased: readonly { readonly tenant: number; readonly interaction_id: string }[];
  readonly findings: readonly RunFinding[];
}

export function writeRun(out: string, run: RunDescription): void {
  const { url, options, tenants, startedAt, endedAt, trustAnchorsFile, erased, findings } = run;
  const isLocal = options.url === undefined;
  const { key: _, ...shown } = options;
  const description = {
    format: RUN_FORMAT,
    url,
    seed: options.seed,
    started_at: startedAt.toISOString(),
    ended_at: endedAt.toISOString(),
    options: shown,
    tenants: tenants.map(({ name, apiKey, anchor, fingerprint }) => ({
      name,
      api_key: isLocal ? apiKey : null,
      anchor,
      fingerprint,
    })),
    trust_anchors: trustAnchorsFile,
    log_vkey: run.logVkey,
    witness_vkeys: run.witnessKeys,
    erased,
    findings,
  };
  writeFileSync(join(out, RUN_FILE), `${JSON.stringify(description, null, 2)}\n`, { mode: SECRET });
}

export function writeResult(out: string, result: object): void {
  const about = { date: new Date().toISOString(), machine: machine(), commit: commit() };
  writeFileSync(join(out, RESULT_FILE), `${JSON.stringify({ ...about, ...result }, null, 2)}\n`);
}

export const writePicture = (out: string, svg: string): void => writeFileSync(join(out, PICTURE_FILE), svg);

/** The commit that ran, and whether the sources differ from it; null outside of a repository. */
function commit(): string | null {
  const git = (...words: string[]): string =>
    execFileSync("git", words, {
      cwd: import.meta.dirname,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  try {
    const changes = git("status", "--porcelain", "--", ":/core", ":/service", ":/server", ":/lambdas");
    return `${git("rev-parse", "--short", "HEAD").trim()}${changes === "" ? "" : " and changes"}`;
  } catch {
    return null;
  }
}
