import { expect, test } from "vitest";
import { pathSides, type Side } from "../../../../evidence/core/merkle/merkle-proof.ts";
import { largestPowerOfTwoBelow } from "../../../support/rfc9162.ts";

/** RFC 9162 section 2.1.3.1 with the side of each node in place of the node. */
function sidesByRecursion(m: number, start: number, end: number): Side[] {
  if (end - start === 1) return [];
  const middle = start + largestPowerOfTwoBelow(end - start);
  return m < middle
    ? [...sidesByRecursion(m, start, middle), "right"]
    : [...sidesByRecursion(m, middle, end), "left"];
}

test("every path of every tree of up to 64 leaves turns as the specification says", () => {
  for (let size = 1; size <= 64; size++) {
    for (let leaf = 0; leaf < size; leaf++) {
      expect(pathSides(leaf, size)).toEqual(sidesByRecursion(leaf, 0, size));
    }
  }
});

test("the largest tree has the longest path, and an impossible place ends", () => {
  expect(pathSides(0, Number.MAX_SAFE_INTEGER)).toHaveLength(53);
  expect(pathSides(Number.MAX_SAFE_INTEGER, 2).length).toBeLessThanOrEqual(54);
});
