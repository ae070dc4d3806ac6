import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { startScheduler } from "../../../host/local/scheduler.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

const INTERVAL_MS = 10;

function schedule(task: () => Promise<unknown>, intervalMs = INTERVAL_MS) {
  const scheduler = startScheduler(task, intervalMs);
  onTestFinished(scheduler.stop);
  return scheduler;
}

test("runs at once, and then at its interval", async () => {
  const task = vi.fn(async () => {});
  const { stop } = schedule(task, 60_000);
  expect(task).toHaveBeenCalledOnce();
  await stop();
  const often = vi.fn(async () => {});
  schedule(often);
  await vi.waitFor(() => expect(often.mock.calls.length).toBeGreaterThan(3), PATIENCE_MS);
});

test("never runs twice at a time, however long a run takes", async () => {
  let running = 0;
  const task = vi.fn(async () => {
    expect(++running).toBe(1);
    await sleep(3 * INTERVAL_MS);
    running -= 1;
  });
  schedule(task);
  await vi.waitFor(() => expect(task.mock.calls.length).toBeGreaterThan(2), PATIENCE_MS);
});

test("goes on after a run that failed", async () => {
  const task = vi.fn(() => Promise.reject(new Error("no authority")));
  schedule(task);
  await vi.waitFor(() => expect(task.mock.calls.length).toBeGreaterThan(2), PATIENCE_MS);
});

test("stops after the run under way, and runs no more", async () => {
  let isDone = false;
  const task = vi.fn(async () => {
    await sleep(5 * INTERVAL_MS);
    isDone = true;
  });
  const { stop } = schedule(task);
  await stop();
  expect(isDone).toBe(true);
  await sleep(3 * INTERVAL_MS);
  expect(task).toHaveBeenCalledOnce();
});

test("does not wait for ever for a run that never ends", async () => {
  const { stop } = startScheduler(() => new Promise(() => {}), INTERVAL_MS);
  const started = performance.now();
  await stop();
  expect(performance.now() - started).toBeGreaterThan(1_000);
});
