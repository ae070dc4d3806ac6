// Slow motion: in a process that is slowed down, timers take longer and the clock of durations runs slower, by one
// factor. Latencies, back-offs and budgets keep their proportions, and this machine's two cores have more time for each call.
import { createRequire, syncBuiltinESMExports } from "node:module";

let slowMotion = 1;
let isInstalled = false;

/** Slows this process down from now on. Dates are not changed: they are compared with the engine's. */
export function slowDown(factor: number): void {
  slowMotion = factor;
  if (!isInstalled) install();
  isInstalled = true;
}

function install(): void {
  const realNow = performance.now.bind(performance);
  performance.now = () => realNow() / slowMotion;
  const realTimeout = globalThis.setTimeout;
  const slowTimeout = (run: (...args: unknown[]) => void, delayMs = 0, ...args: unknown[]) =>
    realTimeout(run, delayMs * slowMotion, ...args);
  globalThis.setTimeout = Object.assign(slowTimeout, realTimeout);
  const timers: typeof import("node:timers/promises") = createRequire(import.meta.url)(
    "node:timers/promises",
  );
  const realSleep = timers.setTimeout;
  timers.setTimeout = (delayMs, value, options) => realSleep((delayMs ?? 0) * slowMotion, value, options);
  // Modules that have imported it see the new one, too.
  syncBuiltinESMExports();
}
