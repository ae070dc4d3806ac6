// Where a month begins in a chain, from as few leaves as possible.
import fc from "fast-check";
import { expect, test } from "vitest";
import { ChainGrowth } from "../../../service/limits/chain-growth.ts";

/** A chain of `size` leaves, of which those from `first` on are of the month. Returns the number of leaves read. */
function readAll(growth: ChainGrowth, size: number, first: number): number {
  if (size === 0) return 0;
  growth.learn(size - 1, size - 1 >= first);
  let reads = 1;
  for (let asked = growth.undecided; asked !== null; asked = growth.undecided) {
    growth.learn(asked, asked >= first);
    reads += 1;
  }
  return reads;
}

test("any chain's leaves of the month are counted, with no more reads than halving takes", () => {
  const chains = fc.nat(5_000).chain((size) => fc.tuple(fc.constant(size), fc.nat(size)));
  fc.assert(
    fc.property(chains, ([size, first]) => {
      const growth = new ChainGrowth();
      const reads = readAll(growth, size, first);
      expect([growth.atMost, growth.atLeast]).toEqual([size - first, size - first]);
      expect(reads).toBeLessThanOrEqual(2 + Math.log2(size + 1));
    }),
  );
});

test.each([
  ["is empty", 0, 0, 0],
  ["has nothing of the month", 7, 7, 1],
  ["has a single leaf, which is of the month", 1, 0, 2],
])("a chain that %s takes %i leaves, the month from %i, in %i reads", (_what, size, first, most) => {
  const growth = new ChainGrowth();
  expect(readAll(growth, size, first)).toBeLessThanOrEqual(most);
  expect([growth.atMost, growth.atLeast, growth.undecided]).toEqual([size - first, size - first, null]);
});

test("while it is not known where the month begins, the count lies between two bounds", () => {
  const growth = new ChainGrowth();
  growth.learn(99, true);
  expect([growth.atLeast, growth.atMost]).toEqual([1, 100]);
  growth.learn(50, false);
  expect([growth.atLeast, growth.atMost]).toEqual([1, 49]);
  growth.learn(60, true);
  expect([growth.atLeast, growth.atMost]).toEqual([40, 49]);
});

test("a chain that grows meanwhile is counted with what came", () => {
  const growth = new ChainGrowth();
  readAll(growth, 10, 4);
  growth.learn(12, true);
  expect([growth.atMost, growth.atLeast]).toEqual([9, 9]);
});

test("leaves that a slower clock still wrote into the month before don't count", () => {
  const growth = new ChainGrowth();
  growth.learn(9, false);
  expect(growth.atMost).toBe(0);
  // Two more of the old month, then one of the new: only reading them tells.
  readAll(growth, 13, 12);
  expect([growth.atMost, growth.atLeast]).toEqual([1, 1]);
});
