// A long run: rounds over all targets, each with a seed of its own.
import type { Target } from "./target.ts";

const MAX_SEED = 2 ** 31 - 1;

export interface FuzzOptions {
  readonly seed: number;
  /** No target is begun after this time; each was begun once before. */
  readonly untilMs: number;
}

/** Says what failed, and goes on without it. Whether all held. */
export async function fuzz(targets: readonly Target[], { seed, untilMs }: FuzzOptions): Promise<boolean> {
  const failed = new Set<Target>();
  const taken = new Map<string, number>();
  for (let round = 0; round === 0 || Date.now() < untilMs; round++) {
    const roundSeed = (seed + round) % MAX_SEED;
    const sound = targets.filter((target) => !failed.has(target));
    if (sound.length === 0) break;
    process.stdout.write(`round ${round + 1}, seed ${roundSeed}:`);
    for (const target of sound) {
      if (round > 0 && Date.now() >= untilMs) break;
      if (!(await holds(target, roundSeed))) failed.add(target);
      taken.set(target.name, (taken.get(target.name) ?? 0) + target.runs);
    }
    process.stdout.write("\n");
  }
  for (const [name, inputs] of taken) console.log(`${name.padEnd(NAME_WIDTH)} ${inputs} inputs`);
  for (const { name } of failed) console.log(`${name} FAILED`);
  return failed.size === 0;
}

const NAME_WIDTH = 14;

async function holds(target: Target, seed: number): Promise<boolean> {
  // A target that hangs is the last word of the output.
  process.stdout.write(` ${target.name}`);
  try {
    await target.run({ seed, runs: target.runs });
    return true;
  } catch (error) {
    console.log(` FAILED\nTo see it again: npm run fuzz -- --minutes 0 --only ${target.name} --seed ${seed}`);
    console.log(error);
    return false;
  }
}
