// The honest world of a seed on the command line, in random sets: nothing of it is red. HONEST_SEED=n runs one seed alone.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, vi } from "vitest";
import { anyBill, anySet, type HonestSet, verifyArguments } from "../support/honest-sets.ts";
import { type HonestWorld, honestWorld } from "../support/honest-world.ts";
import { startLedgerStack } from "../support/ledger-stack.ts";
import { chanceFrom } from "../support/random-choices.ts";
import { receipts } from "../tools/cli/command-line.ts";
import { saidInReport } from "./set-command-line.ts";
import type { Said } from "./sets.ts";

const SETS = 8;
const BILLS = 3;
/** All was made, or some checks are open. */
export const NOT_RED = [0, 3];

export interface SaidOfSet {
  readonly set: HonestSet;
  /** By the command line. */
  readonly said: Said;
}

const stack = await startLedgerStack();
vi.useFakeTimers({ toFake: ["Date"] });
afterAll(async () => {
  vi.useRealTimers();
  await stack.close();
});

export const honestSeeds = (count: number): readonly number[] => {
  const alone = process.env.HONEST_SEED;
  return alone === undefined ? Array.from({ length: count }, (_, seed) => seed) : [Number(alone)];
};

export async function judgeHonest(seed: number): Promise<{ world: HonestWorld; sets: SaidOfSet[] }> {
  const world = await honestWorld(seed, { stack, receipts, setClock: vi.setSystemTime });
  const chance = chanceFrom(seed);
  const sets: SaidOfSet[] = [];
  for (let i = 0; i < SETS; i++) {
    const set = anySet(world, chance);
    vi.setSystemTime(set.now);
    sets.push({ set, said: await notRed("verify", ...verifyArguments(set)) });
  }
  vi.setSystemTime(world.endsAt);
  for (let i = 0; i < BILLS && world.bills.length > 0; i++) {
    const { status, stdout, stderr } = await receipts("bill", "verify", ...anyBill(world, chance), "--json");
    expect([status, stderr], stdout).toEqual([0, ""]);
  }
  const anchors = world.anchors.flatMap((file) => ["--tsa-ca", file]);
  for (const { path } of world.exports)
    if (existsSync(join(path, "reports")))
      await notRed("verify", path, "--metachain", path, "--history", join(path, "history"), ...anchors);
  return { world, sets };
}

async function notRed(...args: readonly string[]): Promise<Said> {
  const { status, stdout, stderr } = await receipts(...args, "--json");
  expect({ status, stderr }, `${args.join(" ")}\n${stdout}`).toEqual({
    status: expect.toBeOneOf(NOT_RED),
    stderr: "",
  });
  return saidInReport(stdout, (path) => path);
}
