// `openssl ts -verify` as a peer of benches, whether it is here, and what it takes without the start of its process.
import { execFileSync } from "node:child_process";

const openssl = (...words: string[]): string => execFileSync("openssl", words, { stdio: "pipe" }).toString();

/** Null where openssl is not here. */
export function opensslVersion(): string | null {
  try {
    return openssl("version").split(" ")[1] ?? "unknown";
  } catch {
    return null;
  }
}

/**
 * The work of one `openssl ts -verify`: a whole run less a run that only starts and loads. The least of many, taken in
 * turns: a median of processes is mostly the weather on this machine.
 */
export function opensslWork(words: readonly string[], processes: number): { ms: number; wholeMs: number } {
  const runs = Array.from(
    { length: processes },
    () => [timeOpenssl("-help"), timeOpenssl("-verify", ...words)] as const,
  );
  const starting = Math.min(...runs.map(([start]) => start));
  const wholeMs = Math.min(...runs.map(([, run]) => run));
  return { ms: wholeMs - starting, wholeMs };
}

function timeOpenssl(...words: string[]): number {
  const start = performance.now();
  openssl("ts", ...words);
  return performance.now() - start;
}
