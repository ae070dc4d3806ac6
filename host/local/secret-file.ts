// The local stack's secrets: files that are written once, atomically and durably, and readable by their owner only.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

export const OWNER_ONLY_FILE = 0o600;

/**
 * The text of the file at `path`, made by `create` if there is none yet. One process at a time may call this for one file;
 * the data folder's lock ensures that.
 */
export function secretFile(path: string, create: () => string): string {
  const existing = readIfPresent(path);
  if (existing !== null) return existing;
  const text = create();
  // A crash leaves either no file of this name or the whole file: a half-written key would look like a key.
  const draft = `${path}.draft`;
  writeFileSync(draft, text, { mode: OWNER_ONLY_FILE, flush: true });
  renameSync(draft, path);
  syncFolder(dirname(path));
  return text;
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/**
 * Makes the rename durable: signatures by a key must not outlive the key. Windows refuses to flush a folder, and does not
 * need it.
 */
function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
