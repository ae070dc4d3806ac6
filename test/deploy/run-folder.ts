// What a run writes, in one folder that goes with it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder. It is removed when this process exits, which is also how Ctrl-C ends a run: without any teardown. */
export function newRunFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `disclosure-receipts-${name}-`));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
