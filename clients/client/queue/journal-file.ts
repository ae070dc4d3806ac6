// The journal's file: replaced as a whole, and written at a position.
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";

export const OWNER_ONLY_FILE = 0o600;

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
  const draft = join(folder, "journal.draft");
  const file = await open(draft, "w", OWNER_ONLY_FILE);
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
    const file = await open(join(folder, "journal"), "r+");
    await file.truncate(size);
    return { file, size };
  } catch {
    throw cause;
  }
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
