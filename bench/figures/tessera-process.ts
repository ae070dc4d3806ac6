// Tessera's POSIX log as a process of a bench, built through the Go module proxy.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const FOLDER = join(import.meta.dirname, "tessera");
const VERSION = /tessera (v\S+)/;

export interface TesseraProcess {
  readonly url: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/** The versions of Tessera and Go; null where Go is not here. */
export function tesseraVersions(): Record<string, string> | null {
  try {
    const go = execFileSync("go", ["env", "GOVERSION"], { encoding: "utf8" }).trim();
    const tessera = VERSION.exec(readFileSync(join(FOLDER, "go.mod"), "utf8"))?.[1] ?? "unknown";
    return { go: go.replace(/^go/, ""), tessera: tessera.slice(1) };
  } catch {
    return null;
  }
}

/** The program; Go keeps what it has built. Throws an Error that says what Go says. */
export function buildTessera(kept: string): string {
  const program = join(kept, "tessera");
  execFileSync("go", ["build", "-o", program, "."], { cwd: FOLDER, stdio: "pipe" });
  return program;
}

export async function startTessera(program: string): Promise<TesseraProcess> {
  const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-tessera-"));
  const child = spawn(program, [folder], { stdio: ["ignore", "pipe", "inherit"] });
  const [url] = (await once(createInterface(child.stdout), "line")) as [string];
  const stop = async (): Promise<void> => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, pid: child.pid ?? 0, stop };
}
