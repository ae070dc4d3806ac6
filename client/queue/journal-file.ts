// The journal's file: written whole in the place of the old one, and at a position.
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";

export const OWNER_ONLY = 0o600;

/** `size`: the end of what is known to be good. */
export interface OpenFile {
  readonly file: FileHandle;
  readonly size: number;
}

/** Beside the old one, then in its place: a crash leaves either. Whose name it is, is safe after `flushFolder`. */
export async function writeInPlace(folder: string, text: string): Promise<OpenFile> {
  const draft = join(folder, "journal.draft");
  const file = await open(draft, "w", OWNER_ONLY);
  try {
    const bytes = Buffer.from(text);
    await writeAt(file, bytes, 0);
    await file.sync();
    await rename(draft, join(folder, "journal"));
    return { file, size: bytes.length };
  } catch (error) {
    await file.close();
    // What a full disk took of it would be missing for what comes next.
    await rm(draft, { force: true });
    throw error;
  }
}

/** The old file as it is, cut off at `size`. Throws `cause`, for which it can't be written anew, where that fails too. */
export async function goOnWith(folder: string, size: number, cause: unknown): Promise<OpenFile> {
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

/** Windows has no handle of a folder, and needs none. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}
