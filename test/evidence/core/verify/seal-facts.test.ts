// Two seals contradict each other where they state different facts of the metachain.
import { describe, expect, test } from "vitest";
import { PENDING_TIMESTAMP, type Seal } from "../../../../evidence/core/formats/metachain.ts";
import type { Facts } from "../../../../evidence/core/verify/fact-types.ts";
import { History } from "../../../../evidence/core/verify/history.ts";
import { factsOfSeal } from "../../../../evidence/core/verify/seal-facts.ts";

const hash = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`;

function contradictionOf(...told: readonly Facts[]) {
  const history = new History();
  const found = told.map((facts) => history.add(facts)).find((each) => each !== null);
  return found === undefined ? null : { log: found.log, sentence: found.sentence };
}

const sealOf = (index: number, more: Partial<Seal> = {}): Seal => ({
  index,
  merkle_root: hash(String(index)),
  tree_size: 10 * (index + 1),
  previous_root: index === 0 ? null : hash(String(index - 1)),
  previous_tree_size: 10 * index,
  consistency_path: [],
  receipt_count: 1,
  sealed_at: `2026-11-2${index}T00:00:00.000Z`,
  tsa_timestamp: PENDING_TIMESTAMP,
  additional_timestamps: [],
  ...more,
});

describe("seals", () => {
  test("go together where each extends the one before", () => {
    const [first, second] = [sealOf(1), sealOf(2)];
    expect(contradictionOf(factsOfSeal(first), factsOfSeal(second))).toBeNull();
    const same = { tree_size: 20, sealed_at: first.sealed_at };
    expect(contradictionOf(factsOfSeal(first), factsOfSeal(sealOf(2, same)))).toBeNull();
  });

  test.each<[what: string, Seal, Seal, sentence: string]>([
    [
      "has another root",
      sealOf(1),
      sealOf(1, { merkle_root: hash("7") }),
      "there are two versions of seal 1",
    ],
    [
      "has another size",
      sealOf(1),
      sealOf(1, { tree_size: 21 }),
      "there are two versions of the size of seal 1",
    ],
    [
      "has another time",
      sealOf(1),
      sealOf(1, { sealed_at: "2026-11-22T00:00:00.000Z" }),
      "there are two versions of the time of seal 1",
    ],
    [
      "has other tokens",
      sealOf(1),
      sealOf(1, { additional_timestamps: [PENDING_TIMESTAMP] }),
      "there are two versions of seal 1 with its tokens",
    ],
    [
      "follows another root",
      sealOf(1),
      sealOf(2, { previous_root: hash("7") }),
      "there are two versions of seal 1",
    ],
    [
      "follows a root of another size",
      sealOf(1),
      sealOf(2, { previous_tree_size: 19 }),
      "there are two versions of the size of seal 1",
    ],
    [
      "covers fewer entries",
      sealOf(1),
      sealOf(3, { tree_size: 1 }),
      "seal 1 covers 20 entries, but seal 3 covers 1 entry",
    ],
    [
      "is older",
      sealOf(1),
      sealOf(3, { sealed_at: "2026-11-20T00:00:00.000Z" }),
      "seal 1 is of 2026-11-21T00:00:00.000Z, but seal 3 is of 2026-11-20T00:00:00.000Z",
    ],
  ])("contradict each other where the other %s", (_, first, second, sentence) => {
    expect(contradictionOf(factsOfSeal(first), factsOfSeal(second))).toEqual({ log: "metachain", sentence });
  });

  test("of the first number follow none", () => {
    const { facts, steps } = factsOfSeal(sealOf(0));
    expect(facts.map(({ name }) => name)).toEqual([
      "seal/0",
      "seal/0/size",
      "seal/0/sealed_at",
      "seal/0/hash",
    ]);
    expect(steps.map(({ at }) => at)).toEqual([0, 0]);
  });
});
