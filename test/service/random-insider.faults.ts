// Somebody who may write any item of the table at any moment, and has no key: whatever is written, nothing false is
// published, and what is lost is told by an alarm, or found by a reader with one receipt, the public files, the history and
// the fingerprint. INSIDER_SEED=n runs one seed alone.
import { afterAll, expect, test } from "vitest";
import { FAULTS_ROUNDS } from "../support/faults.ts";
import { readItems, writeAtRandom } from "../support/insider-edits.ts";
import { judgeWorld } from "../support/insider-judge.ts";
import { InsiderWorld } from "../support/insider-world.ts";
import { ITEM_KINDS } from "../support/item-kinds.ts";
import { startLedgerStack } from "../support/ledger-stack.ts";
import { type Chance, chanceFrom } from "../support/random-choices.ts";

const stack = await startLedgerStack();
const world = await InsiderWorld.start(stack);
afterAll(async () => {
  await world.stop();
  await stack.close();
});

const ALONE = process.env.INSIDER_SEED;
const SEEDS = 300 * FAULTS_ROUNDS;
const seeds = ALONE === undefined ? Array.from({ length: SEEDS }, (_, seed) => seed) : [Number(ALONE)];
const MAX_STEPS = 8;
/** The end of a month costs as much as everything before; an anchor, a walk for the 4,096 chains that it gives. */
const HAS_MONTH_END = 4;
const HAS_ANCHOR = 8;

/** Lets the insider and the service take their steps, and returns these in words, in order. */
async function takeSteps(fork: InsiderWorld, chance: Chance): Promise<string[]> {
  const steps: string[] = [];
  const [count, first] = [2 + chance.below(MAX_STEPS), chance.below(2)];
  for (let i = 0; i < count; i++) {
    if (i !== first && chance.below(4) > 0) steps.push(await fork.step(chance));
    else {
      const { kind, what } = await writeAtRandom({ ...fork.insider, chance });
      fork.touched.add(kind);
      steps.push(`INSIDER: ${kind} ${what}`);
    }
  }
  return steps;
}

/** The story of a seed in which something is wrong; null where nothing is. */
async function storyOf(seed: number, written: Set<string>): Promise<string | null> {
  const chance = chanceFrom(seed);
  const fork = await world.fork(stack);
  try {
    const steps = await takeSteps(fork, chance);
    await fork.settle();
    if (seed % HAS_MONTH_END === 0) await fork.endMonth();
    const faults = await judgeWorld(fork, seed % HAS_ANCHOR === 0);
    if (faults.length === 0) return null;
    return [`INSIDER_SEED=${seed}`, ...steps, "told:", ...new Set(fork.told), "wrong:", ...faults].join(
      "\n  ",
    );
  } finally {
    for (const kind of fork.touched) written.add(kind);
    await fork.stop();
  }
}

test("the list of kinds has every item of a service with all that it offers", async () => {
  const items = await readItems(world.ledger, world.callers);
  expect(items.get("")).toBe(undefined);
  const missing = ITEM_KINDS.filter((kind) => !items.has(kind));
  // These come with a fault, or with a wording of a tenant's own.
  expect(missing.sort()).toEqual(["damaged", "deadLetter", "incomplete", "ownWordings"]);
});

test("whatever an insider writes, nothing false is published, and what is lost is told", async () => {
  const written = new Set<string>();
  const stories: string[] = [];
  for (const seed of seeds) {
    const story = await storyOf(seed, written);
    if (story !== null) stories.push(story);
  }
  expect(stories).toEqual([]);
  if (ALONE === undefined) expect(ITEM_KINDS.filter((kind) => !written.has(kind))).toEqual([]);
});
