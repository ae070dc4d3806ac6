// Small edits of evidence, by JSON pointers (RFC 6901), and how damaged vectors and the index are written.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Edit = (value: Json) => void;

/** `holds_so_far`: nothing failed, and a check that matters could not be made. */
export type Expected = "holds" | "holds_so_far" | "does_not_hold" | "unreadable";

/** A row of the index before its verdict is computed; only that a file can't be read is written by hand. */
export type Draft = Omit<Entry, "expected"> & { readonly expected?: "unreadable"; readonly made?: Vectors };

/** Contents of files, by path in this folder. */
export type Vectors = Readonly<Record<string, string | Uint8Array>>;

export interface Entry {
  readonly file: string;
  readonly kind: "receipt" | "seal" | "bundle" | "proof" | "mixed";
  readonly expected: Expected;
  /** Names of the checks that must fail, in their order. */
  readonly failing: readonly string[];
  /** Names of the checks that can't be made with what is given. */
  readonly unmade: readonly string[];
  readonly reason: string;
  /** The trust anchors of the reader. */
  readonly anchors?: string;
  /** The request of a receipt. */
  readonly request?: string;
  /** What is published under the seal_index of a receipt; null where nothing is. */
  readonly seal?: string | null;
  /** What is published under the index that a receipt's `recorded_after` names; null where nothing is. */
  readonly before?: string | null;
  /** The wording policy layers of the reader. */
  readonly layers?: readonly string[];
  /** The seal before a seal. */
  readonly previous?: string;
  /** The published seals of a bundle, from index 0. */
  readonly published?: readonly string[];
}

/**
 * These checks need documents that one piece of evidence can't hold: the request, the receipt before, the chain's newest
 * receipt, the seal before, certificates of further authorities. Unmade, they take nothing from what the others show.
 */
const SUPPLEMENTARY: ReadonlySet<string> = new Set([
  "input_hash",
  "links",
  "evidence_chain",
  "interaction",
  "previous_seal",
  "additional_timestamps",
]);

const FOLDER = new URL("./", import.meta.url);

export const read = (file: string): Json => JSON.parse(readFileSync(new URL(file, FOLDER), "utf8"));
/** The row with a file that its reader has, made with it. */
export const beside = (draft: Draft, member: "previous" | "request", file: string, value: Json): Draft => ({
  ...draft,
  [member]: file,
  made: { ...draft.made, [file]: print(value) },
});
export const print = (value: Json): string => `${JSON.stringify(value, null, 2)}\n`;
export const write = (file: string, text: string): void => writeFileSync(new URL(file, FOLDER), text);

/** A folder without the files of an earlier run. */
export function emptyFolder(name: string): void {
  const folder = new URL(`${name}/`, FOLDER);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
}

export const at = (value: Json, pointer: string): Json =>
  pointer
    .split("/")
    .slice(1)
    .reduce((inner, name) => (inner as { [name: string]: Json } | null)?.[name] as Json, value);

/** The object or list that holds the member, and the member's name. */
function locate(value: Json, pointer: string): [{ [name: string]: Json }, string] {
  const cut = pointer.lastIndexOf("/");
  return [at(value, pointer.slice(0, cut)) as { [name: string]: Json }, pointer.slice(cut + 1)];
}

export const set =
  (pointer: string, member: Json): Edit =>
  (value) => {
    const [holder, name] = locate(value, pointer);
    // By assignment, `__proto__` would set the prototype.
    Object.defineProperty(holder, name, {
      value: member,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  };

/** Replaces a member by what `change` makes of it. */
export const change =
  <T extends Json>(pointer: string, change: (member: T) => Json): Edit =>
  (value) =>
    set(pointer, change(at(value, pointer) as T))(value);

export const remove =
  (pointer: string): Edit =>
  (value) => {
    const [holder, name] = locate(value, pointer);
    if (Array.isArray(holder)) holder.splice(Number(name), 1);
    else delete holder[name];
  };

/** Another digit in the last place: still hex. */
export const otherHex = (pointer: string): Edit =>
  change<string>(pointer, (text) => text.slice(0, -1) + (text.endsWith("0") ? "1" : "0"));

export const swap = (pointer: string, i: number, j: number): Edit =>
  change<Json[]>(pointer, (list) => {
    const swapped = [...list];
    [swapped[i], swapped[j]] = [list[j] as Json, list[i] as Json];
    return swapped;
  });

export const all =
  (...edits: Edit[]): Edit =>
  (value) => {
    for (const edit of edits) edit(value);
  };

/** The layer of every receipt that the service gave. */
export const SERVICE_LAYER = "layers/service.json";

/** The row with its verdict, which follows from its checks. Unless it says otherwise, the reader has the service's layer. */
export function withVerdict({ file, kind, expected, made: _made, ...rest }: Draft): Entry {
  const layers = kind === "receipt" || kind === "bundle" ? { layers: [SERVICE_LAYER] } : {};
  return { file, kind, expected: expected ?? verdictOn(rest), ...layers, ...rest };
}

export function verdictOn({ failing, unmade }: Pick<Entry, "failing" | "unmade">): Expected {
  if (failing.length > 0) return "does_not_hold";
  const matters = (name: string) => !SUPPLEMENTARY.has(name.slice(name.lastIndexOf("/") + 1));
  return unmade.some(matters) ? "holds_so_far" : "holds";
}
