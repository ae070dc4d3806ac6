import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concatBytes, parseHex } from "../../core/bytes.ts";
import { isDisclosureError } from "../../core/errors.ts";
import { hashLeaf, hashNode } from "../../core/hash.ts";
import { verifyConsistency, verifyInclusion } from "../../core/merkle-proof.ts";
import { consistencyShape, inclusionShape, leafHash, PATH, PROOF, treeOf } from "../support/rfc9162.ts";
import { ascending, sparseTree } from "../support/trees.ts";
import published from "../vectors/certificate-transparency/eight-leaves.json" with { type: "json" };

const EXHAUSTIVE_SIZE = 130;
const SHAPE_SIZE = 16;

const mth = treeOf((index) => leafHash(Uint8Array.of(index)));
const rootOf = (size: number) => mth(0, size);
const leafOf = (index: number) => mth(index, index + 1);
const pathOf = (index: number, size: number) => PATH(index, 0, size, mth);
const proofOf = (previousSize: number, size: number) => PROOF(previousSize, size, mth);

const proofInvalid = expect.toSatisfy((error) => isDisclosureError(error, "proof_invalid"));

function holds(verify: () => void): boolean {
  try {
    verify();
    return true;
  } catch (error) {
    if (!isDisclosureError(error, "proof_invalid")) throw error;
    return false;
  }
}

/** All pairs 0 <= index < size, up to `most` leaves. */
const placesTo = (most: number): [index: number, size: number][] =>
  ascending(most, (n) => ascending(n + 1, (index): [number, number] => [index, n + 1])).flat();

const placeTo = (most: number) =>
  fc
    .tuple(fc.integer({ min: 1, max: most }), fc.nat())
    .map(([size, n]): [number, number] => [n % size, size]);

/** `hashes` with one bit of one of them turned. */
function withFlippedBit(hashes: readonly Uint8Array[], bit: number): Uint8Array[] {
  const flipped = hashes.map((hash) => hash.slice());
  const hash = flipped[Math.floor(bit / 256) % hashes.length];
  const byte = Math.floor(bit / 8) % 32;
  if (hash !== undefined) hash[byte] = (hash[byte] ?? 0) ^ (1 << (bit % 8));
  return flipped;
}

describe("an inclusion path", () => {
  test("is accepted for every leaf of every tree to 130 leaves", () => {
    for (const [index, size] of placesTo(EXHAUSTIVE_SIZE)) {
      verifyInclusion(leafOf(index), index, size, pathOf(index, size), rootOf(size));
    }
  });

  test.each(published.inclusion)("as published is accepted: leaf $leafIndex of $treeSize", (known) => {
    const leaf = hashLeaf(parseHex(published.leaves[known.leafIndex] ?? ""));
    const root = parseHex(published.roots[known.treeSize - 1] ?? "");
    verifyInclusion(leaf, known.leafIndex, known.treeSize, known.path.map(parseHex), root);
  });

  test("is accepted in trees of more than 2^32 leaves, and not one leaf beside", () => {
    const tree = sparseTree([2 ** 40]);
    for (const size of [2 ** 40 + 1, 2 ** 41 + 3, Number.MAX_SAFE_INTEGER]) {
      const path = PATH(2 ** 40, 0, size, tree);
      const verify = (index: number) =>
        verifyInclusion(tree(2 ** 40, 2 ** 40 + 1), index, size, path, tree(0, size));
      verify(2 ** 40);
      expect(() => verify(2 ** 40 - 1)).toThrow(proofInvalid);
    }
  });

  test("is refused with any one bit of leaf hash, path or root turned", () => {
    const verify =
      ([leaf, root, ...path]: Uint8Array[], index: number, size: number) =>
      () =>
        verifyInclusion(leaf ?? new Uint8Array(), index, size, path, root ?? new Uint8Array());
    const hashesOf = (index: number, size: number) => [leafOf(index), rootOf(size), ...pathOf(index, size)];
    const everyBit = ascending(5 * 256, (bit) => verify(withFlippedBit(hashesOf(3, 7), bit), 3, 7));
    for (const flipped of everyBit) expect(flipped).toThrow(proofInvalid);
    fc.assert(
      fc.property(placeTo(EXHAUSTIVE_SIZE), fc.nat(), ([index, size], bit) => {
        expect(verify(withFlippedBit(hashesOf(index, size), bit), index, size)).toThrow(proofInvalid);
      }),
      { numRuns: 500 },
    );
  });

  // The root binds the turns of the path, not the two numbers: RFC 9162 leaves it to the signed tree head to bind
  // the size, and given the size each index has turns of its own.
  test("is accepted under another index and size exactly where they mean the same turns", () => {
    const places = placesTo(SHAPE_SIZE);
    for (const [index, size] of places) {
      const [leaf, path, root] = [leafOf(index), pathOf(index, size), rootOf(size)];
      const accepted = places.filter(([i, n]) => holds(() => verifyInclusion(leaf, i, n, path, root)));
      const shape = inclusionShape(index, size);
      expect(accepted).toEqual(places.filter(([i, n]) => inclusionShape(i, n) === shape));
    }
  });

  test("is refused under every other index of its own tree", () => {
    for (const [index, size] of placesTo(24)) {
      const verify = (i: number) => () =>
        verifyInclusion(leafOf(index), i, size, pathOf(index, size), rootOf(size));
      const accepted = ascending(size, (i) => i).filter((i) => holds(verify(i)));
      expect(accepted).toEqual([index]);
    }
  });

  test("is refused one node longer or shorter, at either end", () => {
    for (const [index, size] of placesTo(40)) {
      const path = pathOf(index, size);
      const verify = (changed: Uint8Array[]) => () =>
        verifyInclusion(leafOf(index), index, size, changed, rootOf(size));
      expect(verify([...path, rootOf(size)])).toThrow(proofInvalid);
      expect(verify([leafOf(index), ...path])).toThrow(proofInvalid);
      if (path.length === 0) continue;
      expect(verify(path.slice(0, -1))).toThrow(proofInvalid);
      expect(verify(path.slice(1))).toThrow(proofInvalid);
    }
  });

  test.each([
    ["past the end", 7, 7],
    ["negative", -1, 7],
    ["a fraction", 0.5, 7],
    ["not a number", Number.NaN, 7],
    ["in an empty tree", 0, 0],
    ["in a tree beyond the safe integers", 0, 2 ** 53],
    ["in a tree of an infinite size", 0, Number.POSITIVE_INFINITY],
  ])("is refused for a leaf index that is %s", (_, index, size) => {
    expect(() => verifyInclusion(leafOf(0), index, size, pathOf(0, 7), rootOf(7))).toThrow(proofInvalid);
  });

  test("is refused where a byte moved from the leaf hash to its sibling, though the hash over both is the same", () => {
    const both = concatBytes(leafOf(0), leafOf(1));
    const [short, long] = [both.slice(0, 31), both.slice(31)];
    expect(hashNode(short, long)).toEqual(rootOf(2));
    expect(() => verifyInclusion(short, 0, 2, [long], rootOf(2))).toThrow(proofInvalid);
  });
});

describe("a consistency path", () => {
  test("is accepted between all sizes to 130 leaves", () => {
    for (const [index, size] of placesTo(EXHAUSTIVE_SIZE)) {
      verifyConsistency(index + 1, size, proofOf(index + 1, size), rootOf(index + 1), rootOf(size));
    }
  });

  test.each(published.consistency)("as published is accepted: $previousSize to $treeSize", (known) => {
    const rootAt = (size: number) => parseHex(published.roots[size - 1] ?? "");
    const { previousSize, treeSize } = known;
    verifyConsistency(
      previousSize,
      treeSize,
      known.path.map(parseHex),
      rootAt(previousSize),
      rootAt(treeSize),
    );
  });

  test("is accepted between trees of more than 2^32 leaves, and refused where an old leaf changed", () => {
    const [tree, changed] = [sparseTree([2 ** 40]), sparseTree([2 ** 40 - 1])];
    for (const [before, after] of [
      [2 ** 40 + 1, 2 ** 41 + 3],
      [2 ** 41, Number.MAX_SAFE_INTEGER],
    ] as const) {
      const path = PROOF(before, after, tree);
      verifyConsistency(before, after, path, tree(0, before), tree(0, after));
      expect(() => verifyConsistency(before, after, path, changed(0, before), tree(0, after))).toThrow(
        proofInvalid,
      );
    }
  });

  test("is refused with any one bit of path or either root turned", () => {
    const verify =
      ([previousRoot, root, ...path]: Uint8Array[], previousSize: number, size: number) =>
      () =>
        verifyConsistency(
          previousSize,
          size,
          path,
          previousRoot ?? new Uint8Array(),
          root ?? new Uint8Array(),
        );
    const hashesOf = (m: number, n: number) => [rootOf(m), rootOf(n), ...proofOf(m, n)];
    const everyBit = ascending(6 * 256, (bit) => verify(withFlippedBit(hashesOf(3, 7), bit), 3, 7));
    for (const flipped of everyBit) expect(flipped).toThrow(proofInvalid);
    fc.assert(
      fc.property(placeTo(EXHAUSTIVE_SIZE), fc.nat(), ([index, size], bit) => {
        expect(verify(withFlippedBit(hashesOf(index + 1, size), bit), index + 1, size)).toThrow(proofInvalid);
      }),
      { numRuns: 500 },
    );
  });

  test("is accepted under other sizes exactly where they mean the same turns", () => {
    const sizes = placesTo(SHAPE_SIZE).map(([index, n]): [number, number] => [index + 1, n]);
    for (const [m, n] of sizes) {
      const [path, previousRoot, root] = [proofOf(m, n), rootOf(m), rootOf(n)];
      const accepted = sizes.filter(([a, b]) =>
        holds(() => verifyConsistency(a, b, path, previousRoot, root)),
      );
      const shape = consistencyShape(m, n);
      expect(accepted).toEqual(sizes.filter(([a, b]) => consistencyShape(a, b) === shape));
    }
  });

  test("is refused one node longer or shorter, at either end", () => {
    for (const [index, size] of placesTo(40)) {
      const path = proofOf(index + 1, size);
      const verify = (changed: Uint8Array[]) => () =>
        verifyConsistency(index + 1, size, changed, rootOf(index + 1), rootOf(size));
      expect(verify([...path, rootOf(size)])).toThrow(proofInvalid);
      expect(verify([rootOf(index + 1), ...path])).toThrow(proofInvalid);
      if (path.length === 0) continue;
      expect(verify(path.slice(0, -1))).toThrow(proofInvalid);
      expect(verify(path.slice(1))).toThrow(proofInvalid);
    }
  });

  test("is refused between two roots of one size", () => {
    expect(() => verifyConsistency(5, 5, [], rootOf(5), rootOf(6))).toThrow(proofInvalid);
  });

  test.each([
    ["nothing to something", 0, 7],
    ["a tree to a smaller one", 8, 7],
    ["a negative size", -3, 7],
    ["a fraction", 2.5, 7],
    ["no number", Number.NaN, 7],
    ["a size to one beyond the safe integers", 3, 2 ** 53],
  ])("is refused from %s", (_, previousSize, size) => {
    expect(() => verifyConsistency(previousSize, size, proofOf(3, 7), rootOf(3), rootOf(7))).toThrow(
      proofInvalid,
    );
  });

  test("is refused where a byte moved from one hash to the next", () => {
    const both = concatBytes(leafOf(0), leafOf(1));
    const [short, long] = [both.slice(0, 31), both.slice(31)];
    expect(() => verifyConsistency(1, 2, [long], short, rootOf(2))).toThrow(proofInvalid);
  });
});
