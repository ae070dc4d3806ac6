// The examples, copied to where the stacks are installed: there they find their packages, and the package's entries are
// our sources.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const EXAMPLES = join(import.meta.dirname, "..", "..", "..", "examples", "adapters");
export const COPIES = join(import.meta.dirname, "examples");

export function copyExamples(): void {
  mkdirSync(COPIES, { recursive: true });
  for (const name of readdirSync(EXAMPLES)) {
    const text = readFileSync(join(EXAMPLES, name), "utf8")
      .replaceAll('"disclosure-receipts/client/node"', '"../../../../clients/client/node.ts"')
      .replaceAll(/"disclosure-receipts\/([a-z-]+)"/g, '"../../../../clients/adapters/$1.ts"');
    writeFileSync(join(COPIES, name), text);
  }
}

export const removeCopies = (): void => rmSync(COPIES, { recursive: true, force: true });
