// Log policies and certificates of changed bytes: the readers in Python take exactly those that ours take.
import { test } from "vitest";
import { companionsTarget } from "../fuzz/targets/companions.ts";
import { hasPython } from "./python.ts";

/** Set it to see a failure again. */
const SEED = Number(process.env.FUZZ_SEED ?? 1);

test.runIf(hasPython)(`the companions of evidence are taken alike (FUZZ_SEED=${SEED})`, async () => {
  await companionsTarget.run({ seed: SEED, runs: companionsTarget.runs });
});
