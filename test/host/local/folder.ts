// A folder for the time of one test.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Call it before starting what writes there: what is registered first is cleaned up last. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
