// The journal's file: replaced as a whole, and written at a position.
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { OWNER_ONLY_FILE } from "./private-folder.ts";

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_RDWR, O_WRONLY } = constants;
/** No file here is a link to one elsewhere. Windows has no such flag. */
const ITSELF = O_NOFOLLOW ?? 0;
const DRAFT = "journal.draft";

/** `size`: the end of what is known to be good. */
export interface OpenFile {
  readonly file: FileHandle;
  readonly size: number;
}

/**
 * Writes a new file and renames it over the old one: a crash leaves either. The rename is durable only after
 * `flushFolder`.
 */
export async function writeInPlace(folder: string, text: string): Promise<OpenFile> {
  const draft = join(folder, `${DRAFT}-${randomUUID()}`);
  const file = await open(draft, O_RDWR | O_CREAT | O_EXCL | ITSELF, OWNER_ONLY_FILE);
  try {
    const bytes = Buffer.from(text);
    await writeAt(file, bytes, 0);
    await file.sync();
    await rename(draft, join(folder, "journal"));
    return { file, size: bytes.length };
  } catch (error) {
    await file.close();
    // On a full disk, its bytes would be missing for the next entries.
    await rm(draft, { force: true });
    throw error;
  }
}

/** The old file, cut off at `size`. If this fails too, rethrows `cause` (why the rewrite failed). */
export async function reopen(folder: string, size: number, cause: unknown): Promise<OpenFile> {
  try {
    const file = await open(join(folder, "journal"), O_RDWR | ITSELF);
    await file.truncate(size);
    return { file, size };
  } catch {
    throw cause;
  }
}

/** What the journal holds; nothing where there is none. */
export async function readJournal(folder: string): Promise<Buffer> {
  try {
    const file = await open(join(folder, "journal"), O_RDONLY | ITSELF);
    return await file.readFile().finally(() => file.close());
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}

/** Keeps lines for a person to look at. */
export async function setAside(folder: string, lines: string): Promise<void> {
  const file = await open(
    join(folder, "damaged.txt"),
    O_WRONLY | O_CREAT | O_APPEND | ITSELF,
    OWNER_ONLY_FILE,
  );
  try {
    await file.appendFile(lines);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Removes what a process was writing when it died. */
export async function removeDrafts(folder: string): Promise<void> {
  const drafts = (await readdir(folder)).filter((name) => name.startsWith(DRAFT));
  for (const name of drafts) await rm(join(folder, name));
}

export async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** Windows can't open a folder, and needs no flush of one. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}
