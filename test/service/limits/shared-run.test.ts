// Work that callers share: who meets a run that began before waits for the next one, of which there is one.
import { expect, test } from "vitest";
import { SharedRun } from "../../../service/limits/shared-run.ts";

/** Runs that end when the test says so. */
function newWork() {
  const ends: (() => void)[] = [];
  let [underWay, most] = [0, 0];
  const run = new SharedRun(async () => {
    most = Math.max(most, ++underWay);
    await new Promise<void>((resolve) => ends.push(resolve));
    underWay--;
  });
  return { run, ends, most: () => most };
}

test("callers that meet a run that is under way share the next one, which begins after it", async () => {
  const { run, ends } = newWork();
  const first = run.join();
  const [second, third] = [run.join(), run.join()];
  expect([third === second, ends.length]).toEqual([true, 1]);
  ends[0]?.();
  await first;
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.();
  await Promise.all([second, third]);
  expect(ends).toHaveLength(2);
});

test("a caller that asks again in the moment in which a run ended joins the one that waits, and starts none beside it", async () => {
  const { run, ends, most } = newWork();
  const again = run.join().then(() => run.join());
  const waiting = run.join();
  ends[0]?.();
  await expect.poll(() => ends.length).toBe(2);
  for (const end of ends) end();
  await Promise.all([again, waiting]);
  expect([ends.length, most()]).toEqual([2, 1]);
});

test("a run that fails fails for those that share it, and the next one begins all the same", async () => {
  let runs = 0;
  const run = new SharedRun(async () => {
    if (++runs === 1) throw new Error("no");
  });
  const outcomes = await Promise.allSettled([run.join(), run.join()]);
  expect([outcomes.map(({ status }) => status), runs]).toEqual([["rejected", "fulfilled"], 2]);
});
