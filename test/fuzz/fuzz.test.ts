// Every reader of untrusted bytes under a bounded number of mutants: it answers or refuses, and believes nothing new.
// `npm run fuzz` does the same for as long as one likes.
import { describe, test } from "vitest";
import type { Target } from "./target.ts";
import { TARGETS } from "./targets/all.ts";

/** Always the same mutants, unless it is set: whoever changes something else is not told of an old fault by chance. */
const SEED = Number(process.env.FUZZ_SEED ?? 1);

describe(`under mutants (FUZZ_SEED=${SEED})`, () => {
  test.each(TARGETS)("$name says nothing that an honest input does not", async ({ run, runs }: Target) => {
    await run({ seed: SEED, runs });
  });
});
