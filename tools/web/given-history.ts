// A folder that the reader gave to the page: the files of a history (docs/history.md), or files of evidence. The page reads
// nothing of a history but its index; the rest goes to the worker as it is on the device.
import { DisclosureError } from "../../evidence/core/errors.ts";
import { type HistoryFiles, INDEX_FILE } from "../../evidence/reader/history-files.ts";
import { MAX_FILE_BYTES } from "../../evidence/reader/limits.ts";
import type { UnreadableReason } from "../../evidence/reader/unreadable.ts";
import type { FileFacts } from "./checked.ts";
import { type Source, takeFile } from "./given-file.ts";

/** Files and folders in a folder. A million receipts have some 4,000 tiles. */
export const MAX_FOLDER_ENTRIES = 10_000;
/** The bytes of a history: a million receipts have 64 MB of leaves, which the worker keeps in memory. */
export const MAX_HISTORY_BYTES = 128 * 1024 * 1024;

/** As on the command line, a folder stands for these files in it: evidence and what goes with it, also the policy layers of a mirror. */
const EVIDENCE_NAME = /\.(?:json|tlog-proof|cose|pem|policy)$|(?:^|\/)v1\/policy\/layers\/[0-9a-f]{64}$/;

export interface FoundFile {
  /** From the folder's own name on: `history/chains/…`. */
  readonly path: string;
  readonly file: File;
}

export interface Folder {
  readonly name: string;
  readonly files: readonly FoundFile[];
  /** Why its files are not all here; null where they are. */
  readonly problem: UnreadableReason | null;
}

/** The index of a history as a file of its own, and all files by their paths below the index's folder. */
export interface GivenHistory {
  readonly file: FileFacts;
  /** The files, or why they were not taken. */
  readonly content: ReadonlyMap<string, Blob> | UnreadableReason;
}

/** The content of a folder: files of evidence, and a history. */
export interface TakenFolder {
  readonly sources: readonly Source[];
  readonly history: GivenHistory | null;
}

export const fileSource = (file: File): Source => ({
  name: file.name,
  size: file.size,
  read: async () => new Uint8Array(await file.arrayBuffer()),
});

/** Two histories in one folder are refused: no reader should guess which of them was meant. */
export async function takeFolder({ name, files, problem }: Folder): Promise<TakenFolder> {
  if (problem !== null || files.length > MAX_FOLDER_ENTRIES)
    return { sources: [], history: refused(name, problem ?? "folder_too_large") };
  const roots = files.flatMap(({ path }) => rootOf(path) ?? []);
  const evidence = files.filter(
    ({ path }) => EVIDENCE_NAME.test(path) && !roots.some((root) => path.startsWith(root)),
  );
  const sources = evidence.map(({ file }) => ({ ...fileSource(file), isInFolder: true }));
  const [root] = roots;
  if (roots.length > 1) return { sources, history: refused(name, "two_histories") };
  if (root !== undefined) return { sources, history: await takeHistory(root, files) };
  return { sources, history: sources.length === 0 ? refused(name, "no_evidence") : null };
}

/** The files of a history as the port that it is read through. */
export const historyFilesOf = (name: string, files: ReadonlyMap<string, Blob>): HistoryFiles => ({
  name,
  read: async (path) => {
    const file = files.get(path);
    if (file === undefined) return null;
    if (file.size > MAX_FILE_BYTES)
      throw new DisclosureError("payload_too_large", `this is larger than ${MAX_FILE_BYTES} bytes`);
    return new Uint8Array(await file.arrayBuffer());
  },
  list: async (folder) => {
    const prefix = `${folder}/`;
    return [...files.keys()].flatMap((path) => (path.startsWith(prefix) ? path.slice(prefix.length) : []));
  },
});

/** `history/` where the path is `history/history.json`; null for any other file. */
function rootOf(path: string): string | null {
  const isIndex = path === INDEX_FILE || path.endsWith(`/${INDEX_FILE}`);
  return isIndex ? path.slice(0, -INDEX_FILE.length) : null;
}

async function takeHistory(root: string, found: readonly FoundFile[]): Promise<GivenHistory> {
  const files = new Map(
    found.flatMap(({ path, file }) => (path.startsWith(root) ? [[path.slice(root.length), file]] : [])),
  );
  const index = files.get(INDEX_FILE);
  const size = [...files.values()].reduce((sum, file) => sum + file.size, 0);
  const name = `${root}${INDEX_FILE}`;
  if (index === undefined || size > MAX_HISTORY_BYTES) return refused(name, "folder_too_large");
  const taken = await takeFile({ ...fileSource(index), name }, MAX_FILE_BYTES);
  const file = { name, size: taken.size, digest: taken.digest };
  return { file, content: taken.content instanceof Uint8Array ? files : taken.content };
}

const refused = (name: string, content: UnreadableReason): GivenHistory => ({
  file: { name, size: 0, digest: "" },
  content,
});
