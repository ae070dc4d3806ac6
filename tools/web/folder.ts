// Folders as browsers give them: chosen with a button, or dropped. Neither way is a web standard that all of them have.
import { type Folder, type FoundFile, MAX_FOLDER_ENTRIES } from "./given-history.ts";

/** The files of a folder that was chosen: each of them has its path. */
export function folderOf(files: readonly File[]): Folder {
  const found = files.map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  return { name: found[0]?.path.split("/")[0] ?? "", files: found, problem: null };
}

export interface Dropped {
  readonly files: readonly File[];
  /** Null where no folder was dropped. Several are as one. */
  readonly folder: Promise<Folder | null>;
}

/** The items can be asked only while the event is handled: afterwards the browser has emptied them. */
export function dropped(items: readonly DataTransferItem[]): Dropped {
  const folders: FileSystemDirectoryEntry[] = [];
  const files: File[] = [];
  for (const item of items) {
    const entry = item.kind === "file" ? item.webkitGetAsEntry?.() : null;
    if (entry != null && isFolder(entry)) folders.push(entry);
    else files.push(...[item.getAsFile()].filter((file) => file !== null));
  }
  return { files, folder: folders.length === 0 ? Promise.resolve(null) : readFolders(folders) };
}

async function readFolders(folders: readonly FileSystemDirectoryEntry[]): Promise<Folder> {
  const name = folders.map((folder) => folder.name).join(", ");
  try {
    const files = await filesUnder(folders);
    return { name, files: files ?? [], problem: files === null ? "folder_too_large" : null };
  } catch {
    // The device may have lost it since it was dropped, or may not let the browser read it.
    return { name, files: [], problem: "gone" };
  }
}

/** Null where there is more than the page takes. */
async function filesUnder(folders: readonly FileSystemDirectoryEntry[]): Promise<FoundFile[] | null> {
  const found: FoundFile[] = [];
  const entries: FileSystemEntry[] = [...folders];
  for (const entry of entries) {
    if (entries.length > MAX_FOLDER_ENTRIES) return null;
    if (isFolder(entry)) entries.push(...(await entriesIn(entry)));
    else found.push({ path: entry.fullPath.replace(/^\//, ""), file: await fileOf(entry) });
  }
  return found;
}

/** A browser gives the entries of a folder in portions, the last of which is empty. */
async function entriesIn(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  while (entries.length <= MAX_FOLDER_ENTRIES) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (portion.length === 0) break;
    entries.push(...portion);
  }
  return entries;
}

const fileOf = (entry: FileSystemEntry): Promise<File> =>
  new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
