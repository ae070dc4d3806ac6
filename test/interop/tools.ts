// The programs that the interoperability tests need, and whether they are here.
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type SuiteFactory } from "vitest";

/** Whether `program` starts; tests that need one that doesn't are skipped by name. */
export function isHere(program: string, ...words: string[]): boolean {
  try {
    execFileSync(program, words, { stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
}

export const hasOpenssl = isHere("openssl", "version");

/** A folder in that of this run, which `setup.ts` makes and removes. */
export const makeFolder = (): string => mkdtempSync(join(process.env.INTEROP_FOLDER ?? tmpdir(), "interop-"));

/** A suite that says in its own title why it does not run. */
export function describeWith(isPossible: boolean, needs: string, title: string, suite: SuiteFactory): void {
  if (isPossible) describe(title, suite);
  else describe.skip(`${title} (skipped: ${needs} is not here)`, suite);
}

/** Runs openssl in `folder` and returns what it prints. Throws an Error with what it says of its failure. */
export const openssl = (folder: string, ...words: string[]): Buffer =>
  execFileSync("openssl", words, { cwd: folder, stdio: "pipe" });

/** `accepted`, or what openssl says of its refusal. */
export function opensslVerdict(folder: string, ...words: string[]): string {
  try {
    openssl(folder, "ts", "-verify", ...words);
    return "accepted";
  } catch (error) {
    const output = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
    return output.match(/error:[0-9A-F]+:[^:]*:[^:]*:([^:]*):/)?.[1] ?? "refused";
  }
}

/** A port that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
