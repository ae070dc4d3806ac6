// The command line's word on a row: `verify --json`, with what the reader has in files and a metachain's folder.
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Check } from "../../core/verify/check.ts";
import { newFolder, receipts } from "../cli/command-line.ts";
import { indexIn, type Row, type Verdict } from "./rows.ts";

interface Report {
  readonly files: readonly [{ readonly verdict: string; readonly checks: readonly Check[] }];
}

const VERDICTS: Readonly<Record<number, Verdict["verdict"]>> = {
  0: "holds",
  1: "does_not_hold",
  2: "unreadable",
};

/** The exit status is the verdict. Its clock is the process's own: the test sets it to the row's. */
export async function askCommandLine(row: Row): Promise<Verdict> {
  const { status, stdout } = await receipts("verify", row.file, "--json", ...argumentsFor(row));
  const [{ checks }] = (JSON.parse(stdout) as Report).files;
  // A root that somebody hands on is compared with the published one, which no row of a seal says.
  const compared = checks.filter(({ name }) => row.kind !== "seal" || name !== "published_root");
  const namesOf = (ok: boolean | null) => compared.filter((check) => check.ok === ok).map(({ name }) => name);
  return { verdict: VERDICTS[status ?? -1] ?? "holds", failing: namesOf(false), unmade: namesOf(null) };
}

function argumentsFor({ kind, anchors, request, published, file }: Row): string[] {
  const isGiven = Object.keys(published).length > 0;
  // A root that is checked is published itself, or that would be found.
  const all = kind === "seal" ? { ...published, [indexIn(file)]: file } : published;
  return [
    ...(isGiven ? ["--metachain", metachainOf(all)] : []),
    ...(anchors === undefined ? [] : ["--tsa-ca", anchors]),
    ...(request === undefined ? [] : ["--request", request]),
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
  return folder;
}
