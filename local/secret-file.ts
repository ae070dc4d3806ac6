// A file that is written once, whole, durable and readable by its owner only: where the local stack keeps secrets.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const OWNER_ONLY = 0o600;

/**
 * The text of the file at `path`, made by `create` if there is none yet. One process at a time may call this
 * for one file; the data folder's lock sees to that.
 */
export function secretFile(path: string, create: () => string): string {
  const existing = readIfPresent(path);
  if (existing !== null) return existing;
  const text = create();
  // A crash leaves either no file under this name or all of it: a half-written key would look like a key.
  const draft = `${path}.draft`;
  writeFileSync(draft, text, { mode: OWNER_ONLY, flush: true });
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

/** Makes the rename itself durable: what was signed with a key must not outlive the key. */
function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
