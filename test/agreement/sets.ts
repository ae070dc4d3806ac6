// The table of sets of files (test/vectors/README.md#sets), and the form in which a program's word is compared with it.
import { readFileSync } from "node:fs";
import type { SetRow } from "../vectors/evidence/set-rows.ts";
import { evidenceFile } from "./rows.ts";

export type { SetRow } from "../vectors/evidence/set-rows.ts";

export const setRows = JSON.parse(readFileSync(evidenceFile("sets.json"), "utf8")) as readonly SetRow[];

export type Said = Omit<SetRow["expected"], "exit">;

export const withoutExit = ({ exit: _exit, ...said }: SetRow["expected"]): Said => said;

/** A file as it is given to a program: `name` is its own, and `file` the table's. */
export interface GivenCopy {
  readonly file: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly isInFolder: boolean;
}

const NEWLINE = 0x0a;

/** The files of a set. Each copy has one newline more than the one before, and a name of its own. */
export function filesOf({ files }: SetRow): GivenCopy[] {
  return files.flatMap(({ file, in_folder: isInFolder, copies }) => {
    const bytes = new Uint8Array(readFileSync(evidenceFile(file)));
    if (copies === undefined) return [{ file, name: file, bytes, isInFolder }];
    return Array.from({ length: copies }, (_, n) => {
      const padded = new Uint8Array(bytes.length + n).fill(NEWLINE);
      padded.set(bytes);
      return { file, name: file.replace(/(?=\.[^.]*$)/, `-${n}`), bytes: padded, isInFolder };
    });
  });
}

export interface SaidCheck {
  readonly name: string;
  readonly ok: boolean | null;
  readonly reason?: string;
}

/** What the programs in TypeScript say, each under names of its own. */
export interface Told {
  readonly outcome: string;
  readonly files: readonly {
    readonly file: string;
    readonly kind: string | null;
    readonly outcome: string;
    readonly checks: readonly SaidCheck[];
  }[];
  readonly together: { readonly outcome: string; readonly checks: readonly SaidCheck[] } | null;
  readonly strays: readonly { readonly kind: string; readonly file: string | null }[];
  readonly companions: readonly { readonly kind: string; readonly file: string; readonly use: string }[];
  readonly summary: object;
}

/** In the form of the table. `fileOf` gives the table's name of a file. */
export function saidOf(told: Told, fileOf: (name: string) => string): Said {
  const said = {
    outcome: told.outcome,
    files: told.files.map(({ file, kind, outcome, checks }) => ({
      file,
      kind,
      failing: checks.filter(({ ok }) => ok === false).map(({ name }) => name),
      open: Object.fromEntries(
        checks.filter(({ ok }) => ok === null).map(({ name, reason }) => [name, reason]),
      ),
      outcome,
    })),
    together: told.together && {
      outcome: told.together.outcome,
      checks: Object.fromEntries(told.together.checks.map(({ name, ok, reason }) => [name, ok ?? reason])),
    },
    strays: told.strays.map(({ kind, file }) => ({ kind, file })),
    not_believed: told.companions
      .filter(({ use }) => use === "not_believed")
      .map(({ kind, file }) => ({ kind, file })),
    summary: told.summary,
  };
  const renamed = JSON.parse(JSON.stringify(said), (key, value) =>
    key === "file" && typeof value === "string" ? fileOf(value) : value,
  ) as Said;
  return { ...renamed, files: counted(renamed.files) };
}

/** Files that follow each other with one name and one finding are copies. */
function counted(files: Said["files"]): Said["files"] {
  const groups: { text: string; finding: Said["files"][number]; copies: number }[] = [];
  for (const finding of files) {
    const [text, last] = [JSON.stringify(finding), groups.at(-1)];
    if (last?.text === text) last.copies++;
    else groups.push({ text, finding, copies: 1 });
  }
  return groups.map(({ finding, copies }) => (copies === 1 ? finding : { ...finding, copies }));
}

export const pathOf = (file: string): string => evidenceFile(file);
