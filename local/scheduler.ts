// Runs one task at a fixed interval, never twice at a time: what EventBridge Scheduler is to the deployed sealer.
import { setTimeout as sleep } from "node:timers/promises";

export interface Scheduler {
  /** Ends after the run that is under way. */
  readonly stop: () => Promise<void>;
}

/** The first run comes at once: it finishes what a stack that was killed had begun. */
export function startScheduler(task: () => Promise<unknown>, intervalMs: number): Scheduler {
  const stopping = new AbortController();
  const running = runUntil(stopping.signal, task, intervalMs);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function runUntil(
  signal: AbortSignal,
  task: () => Promise<unknown>,
  intervalMs: number,
): Promise<void> {
  while (!signal.aborted) {
    const started = performance.now();
    // The task has logged what went wrong; the next run is its remedy.
    await task().catch(() => undefined);
    const rest = Math.max(0, intervalMs - (performance.now() - started));
    await sleep(rest, undefined, { signal }).catch(() => undefined);
  }
}
