// Every reader of untrusted bytes works in proportion to its input, whatever is in it. Steps are counted, not time.
import { afterAll, describe, expect, test } from "vitest";
import { mostStepsFor, StepCounter } from "./steps.ts";
import type { CountedTarget } from "./target.ts";

/** Set it to see a failure again. */
const SEED = Number(process.env.FUZZ_SEED ?? 1);
/** Counting slows the program; work that grows too fast shows in few inputs. */
const RUNS = 25;

const counter = new StepCounter();
afterAll(() => counter.close());
const { TARGETS } = await import("./targets/all.ts");

describe(`the work (FUZZ_SEED=${SEED})`, () => {
  test.each(TARGETS)("of $name grows no faster than its input", async ({ countWork }: CountedTarget) => {
    await countWork({ seed: SEED, runs: RUNS }, counter);
  });

  test("that grows with the square of an input is beyond what is allowed", async () => {
    const bytes = 5_000;
    let pairs = 0;
    const steps = await counter.count(() => {
      for (let i = 0; i < bytes; i++) for (let j = 0; j < bytes; j++) pairs += 1;
    });
    expect(pairs).toBe(bytes ** 2);
    expect(steps).toBeGreaterThanOrEqual(pairs);
    expect(steps).toBeGreaterThan(mostStepsFor(bytes));
  });
});
