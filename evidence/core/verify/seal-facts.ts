// The facts that a seal states, and those that others state of it.
import { hashSeal, type Seal } from "../formats/metachain.ts";
import { count } from "./count.ts";
import type { Fact, Facts, GrowthStep } from "./fact-types.ts";

/** The facts of a seal that verifies. */
export function factsOfSeal(seal: Seal): Facts {
  const { index, merkle_root, tree_size, previous_root, previous_tree_size, sealed_at } = seal;
  const previous = previous_root === null ? [] : sealFacts(index - 1, previous_root, previous_tree_size);
  const time = sealFact(`${index}/sealed_at`, `the time of seal ${index}`, sealed_at);
  return {
    facts: [
      ...sealFacts(index, merkle_root, tree_size),
      ...previous,
      time,
      sealHashFact(index, hashSeal(seal)),
    ],
    steps: [
      sizeStep(index, tree_size),
      ...(previous_root === null ? [] : [sizeStep(index - 1, previous_tree_size)]),
      sealTimeStep(index, sealed_at),
    ],
  };
}

export const sealHashFact = (index: number, hash: string): Fact =>
  sealFact(`${index}/hash`, `seal ${index} with its tokens`, hash);

export const sealFacts = (index: number, root: string, size: number): Fact[] => [
  sealFact(`${index}`, `seal ${index}`, root),
  sealFact(`${index}/size`, `the size of seal ${index}`, String(size)),
];

const sealFact = (name: string, what: string, value: string): Fact => ({
  log: "metachain",
  name: `seal/${name}`,
  what,
  value,
});

export const sizeStep = (index: number, size: number): GrowthStep => ({
  log: "metachain",
  series: "seal/size",
  at: index,
  value: size,
  mustGrow: false,
  statement: `seal ${index} covers ${count(size, "entry", "entries")}`,
});

const sealTimeStep = (index: number, sealedAt: string): GrowthStep => ({
  log: "metachain",
  series: "seal/sealed_at",
  at: index,
  value: Date.parse(sealedAt),
  mustGrow: false,
  statement: `seal ${index} is of ${sealedAt}`,
});
