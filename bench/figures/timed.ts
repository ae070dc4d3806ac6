// Small pieces of work, timed by tinybench. Its clock is the processor time of this process, so that other programs of the
// machine are not measured.
import { Bench } from "tinybench";

const MICROSECONDS_PER_MS = 1_000;

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / MICROSECONDS_PER_MS;
}

interface Timing {
  /** At least so many runs, and runs for at least so long. */
  readonly runs?: number;
  readonly ms?: number;
  /** True for work that waits, for a disk or for another thread. */
  readonly waits?: boolean;
}

/** The time of one run, in milliseconds. */
export interface Timed {
  readonly median: number;
  /** On a machine that others use, the least says more of the program, and the median more of the others. */
  readonly least: number;
}

/** Runs the work once to warm up, or for a tenth of the time. Throws what the work throws. */
export async function timeOf(work: () => unknown, { runs = 1, ms = 0, waits }: Timing): Promise<Timed> {
  const bench = new Bench({
    iterations: runs,
    time: ms,
    warmupIterations: 1,
    warmupTime: ms / 10,
    throws: true,
    ...(waits !== true && { now: processorMs }),
  });
  const [task] = await bench.add("work", work).run();
  if (task?.result.state !== "completed") throw new Error("the work was not run to its end");
  const { p50, min } = task.result.latency;
  return { median: p50, least: min };
}
