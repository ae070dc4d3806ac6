// Runs one task at a fixed interval, never twice at a time, in place of EventBridge Scheduler.
import { setTimeout as sleep } from "node:timers/promises";

/** How long stopping waits for the current run. A run may be killed at any step without harm, so the time is short. */
const STOP_GRACE_MS = 2_000;

export interface Scheduler {
  /** Resolves after the current run, or after the grace period. */
  readonly stop: () => Promise<void>;
}

/** The first run is immediate: it finishes the work of a stack that was killed. */
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
    // The task has logged its error; the next run makes up for it.
    await task().catch(() => undefined);
    const rest = Math.max(0, intervalMs - (performance.now() - started));
    await sleep(rest, undefined, { signal }).catch(() => undefined);
  }
}
