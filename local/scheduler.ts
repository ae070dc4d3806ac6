// Runs one task at a fixed interval, never twice at a time: what EventBridge Scheduler is to the deployed sealer.
import { setTimeout as sleep } from "node:timers/promises";

/** How long stopping waits for a run under way, in milliseconds. A run may die at any step, so none is waited for long. */
const STOP_GRACE_MS = 2_000;

export interface Scheduler {
  /** Ends after the run that is under way, or without it once the grace is over. */
  readonly stop: () => Promise<void>;
}

/** The first run comes at once: it finishes what a stack that was killed had begun. */
export function startScheduler(task: () => Promise<unknown>, intervalMs: number): Scheduler {
  const stopping = new AbortController();
  const running = runUntil(stopping.signal, task, intervalMs);
  return {
    stop: async () => {
      stopping.abort();
      await Promise.race([running, sleep(STOP_GRACE_MS, undefined, { ref: false })]);
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
