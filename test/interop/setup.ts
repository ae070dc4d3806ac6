// One folder for all that the tests write, which goes when they are done.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export default function makeRunFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-interop-"));
  process.env.INTEROP_FOLDER = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
