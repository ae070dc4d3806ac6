// Writes files so that they are there whole or not at all, even if this program or the machine is killed.
import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes a new file and flushes it to disk. Throws if there is one of this name. */
export async function writeDurably(path: string, content: Uint8Array | string): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Replaces the content of a file in one step: after a crash it has either the old content or the new. */
export async function replaceFile(path: string, content: Uint8Array | string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const staged = `${path}.${randomUUID()}.tmp`;
  try {
    await writeDurably(staged, content);
    await rename(staged, path);
  } catch (error) {
    await rm(staged, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Makes the names in a folder as durable as the files. Windows refuses to flush a folder, and does not need it. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
