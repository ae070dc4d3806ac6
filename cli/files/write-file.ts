// Files that are there whole or not at all, whatever kills this program or the machine.
import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes to disk under a name of its own; nothing refers to it yet. */
export async function writeDurably(path: string, content: Uint8Array | string): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Puts new content in the place of the old in one step. A crash leaves the one or the other. */
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

/** Makes the names in a folder as durable as the files. Windows refuses to flush a folder, and needs no telling. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
