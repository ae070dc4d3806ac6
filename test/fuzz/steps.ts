// Counts what a program does instead of how long it takes: V8 counts how often each block of our code and of the packages
// ran. The count is the same on a slow machine.
import { type Profiler, Session } from "node:inspector";

/** Work that no input explains: reading a certificate, asking whether the program knows Ed25519. The page takes 125,000. */
const STEPS_WITHOUT_INPUT = 300_000;
/** Evidence takes some 30, most of them in SHA-256. A reader that is quadratic takes as many thousands for some kilobytes. */
const STEPS_A_BYTE = 150;

export const mostStepsFor = (bytes: number): number => STEPS_WITHOUT_INPUT + STEPS_A_BYTE * bytes;

/**
 * V8 counts the blocks of what is compiled from now on, so a counter comes before the programs that it counts are loaded.
 */
export class StepCounter {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
    this.#session.post("Profiler.enable");
    this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  /** The blocks that ran while `work` did. */
  async count(work: () => unknown): Promise<number> {
    this.#take();
    await work();
    return this.#take()
      .filter(({ url }) => isCounted(url))
      .flatMap(({ functions }) => functions)
      .flatMap(({ ranges }) => ranges)
      .reduce((sum, { count }) => sum + count, 0);
  }

  close(): void {
    this.#session.post("Profiler.stopPreciseCoverage");
    this.#session.disconnect();
  }

  /** What ran since the last call. An own session answers before `post` returns. */
  #take(): readonly Profiler.ScriptCoverage[] {
    let result: readonly Profiler.ScriptCoverage[] = [];
    this.#session.post("Profiler.takePreciseCoverage", (_, taken) => {
      result = taken.result;
    });
    return result;
  }
}

/** Ours and the packages that ours calls; neither Node's own nor those that run the tests. */
const isCounted = (url: string): boolean =>
  !url.startsWith("node:") && url !== "" && !/\/(?:vitest|vite|fast-check|pure-rand|@vitest)\//.test(url);
