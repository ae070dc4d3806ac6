// The command line's word on a row: `verify --json`, with what the reader has in files and a metachain's folder.
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Check } from "../../evidence/core/verify/check.ts";
import { newFolder, receipts } from "../tools/cli/command-line.ts";
import { indexIn, listLacking, type Row, type Verdict, verdictOf } from "./rows.ts";

interface Report {
  readonly verdict: Verdict["verdict"];
  readonly stray: readonly unknown[];
  /** `reason`: why the file, or the list of published roots, could not be read. */
  readonly files: readonly [{ readonly checks: readonly Check[]; readonly reason: string | null }];
}

/** Its clock is the process's own: the test sets it to the row's. The exit status must say what the report says. */
export async function askCommandLine(row: Row): Promise<Verdict> {
  const { status, stdout } = await receipts("verify", row.file, "--json", ...argumentsFor(row));
  const { verdict, stray, files } = JSON.parse(stdout) as Report;
  const [{ checks, reason }] = files;
  expect(status).toBe(
    reason === null || verdict === "does_not_hold" ? statusOf(verdict, stray.length > 0) : 2,
  );
  // A root that somebody hands on is compared with the published one, about which a row of a seal says nothing.
  const isSeal = row.kind === "seal";
  const compared = checks.filter(({ name }) => !isSeal || name !== "published_root");
  const namesOf = (ok: boolean | null) => compared.filter((check) => check.ok === ok).map(({ name }) => name);
  const [failing, unmade] = [namesOf(false), namesOf(null)];
  if (reason !== null) return { verdict: "unreadable", failing, unmade };
  return isSeal && verdict !== "unreadable" ? verdictOf(failing, unmade) : { verdict, failing, unmade };
}

function statusOf(verdict: Verdict["verdict"], hasStray: boolean): number {
  if (verdict === "does_not_hold") return 1;
  if (verdict === "unreadable") return 2;
  return hasStray ? 3 : 0;
}

function argumentsFor({ kind, anchors, request, layers = [], policy, published, file }: Row): string[] {
  const isGiven = Object.keys(published).length > 0;
  // A root that is checked is published itself, or that would be found.
  const all = isGiven && kind === "seal" ? { ...published, [indexIn(file)]: file } : published;
  return [
    ...(isGiven ? ["--metachain", metachainOf(all)] : []),
    "--tsa-ca",
    anchors ?? "none",
    ...(request === undefined ? [] : ["--request", request]),
    ...layers.flatMap((layer) => ["--layer", layer]),
    ...(policy === undefined ? [] : ["--policy", policy]),
  ];
}

/** A folder in which exactly these roots are published. */
function metachainOf(published: Row["published"]): string {
  const folder = newFolder();
  const roots = join(folder, "v1/metachain/roots");
  mkdirSync(roots, { recursive: true });
  for (const [index, file] of Object.entries(published)) {
    if (file !== null) copyFileSync(file, join(roots, index));
  }
  // A folder without a head could not be told from one that is no metachain.
  writeFileSync(join(folder, "v1/metachain/index.json"), listLacking(published));
  return folder;
}
