// The long run: what it prints is enough to see a failure again, and one failure hides no other.
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fuzz } from "./fuzz.ts";
import { mutantsOf, sampleOf, textOf } from "./mutations.ts";
import { refusedOr, type Target, target } from "./target.ts";

const output: string[] = [];
beforeEach(() => {
  output.length = 0;
  vi.spyOn(process.stdout, "write").mockImplementation((text) => output.push(String(text)) > 0);
  vi.spyOn(console, "log").mockImplementation((...parts) => void output.push(...parts.map(String), "\n"));
});
afterEach(() => vi.restoreAllMocks());

/** Remembers the first input of each run. */
function remembering(name: string, holds: (input: number) => boolean): { target: Target; first: number[] } {
  const first: number[] = [];
  const made = target({ name, runs: 100, inputs: fc.nat(), sizeOf: () => 4, holds });
  const run: Target["run"] = (options) => {
    first.push(...fc.sample(fc.nat(), { seed: options.seed, numRuns: 1 }));
    return made.run(options);
  };
  return { target: { ...made, run }, first };
}

test("a failure names the target and the seed, and the other targets go on", async () => {
  const [bad, good] = [remembering("bad", (n) => n < 10), remembering("good", () => true)];
  expect(await fuzz([bad.target, good.target], { seed: 7, untilMs: 0 })).toBe(false);
  expect(output.join("")).toContain("npm run fuzz -- --minutes 0 --only bad --seed 7");
  expect(output.join("")).toContain("Counterexample: [10]");
  expect(good.first).toHaveLength(1);
});

test("a run in which all hold says so, and how many inputs there were", async () => {
  const good = remembering("good", () => true);
  expect(await fuzz([good.target], { seed: 7, untilMs: 0 })).toBe(true);
  expect(output.join("")).toMatch(/good +100 inputs/);
});

test("one seed makes the same inputs again, and another one others", () => {
  const mutants = mutantsOf([sampleOf("text", '{"a":1,"b":[2,3]}')]);
  const of = (seed: number) => fc.sample(mutants, { seed, numRuns: 50 }).map(textOf);
  expect(of(1)).toEqual(of(1));
  expect(of(1)).not.toEqual(of(2));
});

test("an error that is none of ours is no refusal", () => {
  const broken = () => {
    throw new TypeError("a bug");
  };
  expect(() => refusedOr(broken, "malformed")).toThrow("a bug");
});
