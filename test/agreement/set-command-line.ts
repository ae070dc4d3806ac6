// A set of files on a command line: its files, folders and options as arguments, which two programs understand.
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { newFolder, receipts } from "../tools/cli/command-line.ts";
import { listLacking } from "./rows.ts";
import { filesOf, pathOf, type Said, type SaidCheck, type SetRow, saidOf, type Told } from "./sets.ts";

export interface Laid {
  readonly args: readonly string[];
  readonly fileOf: (path: string) => string;
}

/** Writes what has no path of its own: folders, copies, and a metachain. `none` is how a program is told to trust nobody. */
export function layDown(row: SetRow, none: readonly string[]): Laid {
  const names = new Map<string, string>();
  const known = (file: string): string => {
    names.set(pathOf(file), file);
    return pathOf(file);
  };
  const { options, published } = row;
  const each = (option: string, files: readonly string[]) => files.flatMap((file) => [option, known(file)]);
  const one = (option: string, value: string | null) => (value === null ? [] : [option, value]);
  const args = [
    ...filePaths(row, names, known),
    ...(options.certificates.length === 0 ? none : []),
    ...each("--tsa-ca", options.certificates),
    ...each("--seal", options.seals),
    ...each("--request", options.requests),
    ...each("--layer", options.layers),
    ...one("--policy", options.policy && known(options.policy)),
    ...one("--wording", options.wording),
    ...one("--history", options.history && known(options.history)),
    ...one("--tenant", options.tenant),
    ...one("--metachain", published && metachainOf(published)),
  ];
  return { args, fileOf: (path) => names.get(path) ?? path };
}

/** A folder for all files that came in one, in which each has a place that keeps their order. */
function filePaths(row: SetRow, names: Map<string, string>, known: (file: string) => string): string[] {
  const folder = newFolder();
  const folders = new Set<string>();
  const named = filesOf(row).flatMap(({ file, name, bytes, isInFolder }, i) => {
    if (!isInFolder && name === file) return [known(file)];
    const top = join(folder, isInFolder ? "folder" : "copies");
    const path = join(top, String(i).padStart(4, "0"), basename(name));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    names.set(path, file);
    if (isInFolder) folders.add(top);
    return isInFolder ? [] : [path];
  });
  return [...named, ...folders];
}

/** A folder in which exactly these roots are published. */
function metachainOf(published: Readonly<Record<number, string | null>>): string {
  const folder = newFolder();
  const roots = join(folder, "v1/metachain/roots");
  mkdirSync(roots, { recursive: true });
  for (const [index, file] of Object.entries(published))
    if (file !== null) copyFileSync(pathOf(file), join(roots, index));
  // A folder without a head could not be told from one that is no metachain.
  writeFileSync(join(folder, "v1/metachain/index.json"), listLacking(published));
  return folder;
}

interface Report {
  readonly verdict: string;
  readonly files: readonly {
    readonly file: string;
    readonly kind: string | null;
    readonly verdict: string;
    readonly checks: readonly SaidCheck[];
  }[];
  readonly together: { readonly verdict: string; readonly checks: readonly SaidCheck[] } | null;
  readonly stray: Told["strays"];
  readonly companions: Told["companions"];
  readonly summary: object;
}

export function saidInReport(stdout: string, fileOf: Laid["fileOf"]): Said {
  const { verdict, files, together, stray, ...report } = JSON.parse(stdout) as Report;
  return saidOf(
    {
      ...report,
      outcome: verdict,
      files: files.map(({ verdict: outcome, ...file }) => ({ ...file, outcome })),
      together: together && { outcome: together.verdict, checks: together.checks },
      strays: stray,
    },
    fileOf,
  );
}

/** Its clock is the process's own: the test sets it to the row's. A set without evidence has no report. */
export async function askCommandLine(row: SetRow): Promise<{ exit: object; said: Said | null }> {
  const { args, fileOf } = layDown(row, ["--tsa-ca", "none"]);
  const plain = await receipts("verify", ...args, "--json");
  const strict = await receipts("verify", ...args, "--json", "--strict");
  return {
    exit: { plain: plain.status, strict: strict.status },
    said: plain.stdout === "" ? null : saidInReport(plain.stdout, fileOf),
  };
}
