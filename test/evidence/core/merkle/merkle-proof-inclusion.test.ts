import fc from "fast-check";
import { expect, test } from "vitest";
import { concatBytes, parseHex } from "../../../../evidence/core/bytes.ts";
import { isDisclosureError } from "../../../../evidence/core/errors.ts";
import { hashBytes, hashLeaf } from "../../../../evidence/core/merkle/hash.ts";
import { verifyInclusion } from "../../../../evidence/core/merkle/merkle-proof.ts";
import {
  inclusionPathOf,
  isAccepted,
  leafOf,
  type ProofHashes,
  placesTo,
  placeTo,
  rootOf,
  withFlippedBit,
  withOtherLength,
} from "../../../support/proofs.ts";
import { inclusionShape, PATH } from "../../../support/rfc9162.ts";
import { ascending, sparseTree } from "../../../support/trees.ts";
import published from "../../../vectors/certificate-transparency/eight-leaves.json" with { type: "json" };

const EXHAUSTIVE_SIZE = 130;
const SHAPE_SIZE = 12;

const proofInvalid = expect.toSatisfy((error) => isDisclosureError(error, "proof_invalid"));

test("an inclusion path is accepted for every leaf of every tree to 130 leaves", () => {
  for (const [index, size] of placesTo(EXHAUSTIVE_SIZE)) {
    verifyInclusion(leafOf(index), index, size, inclusionPathOf(index, size), rootOf(size));
  }
});

test.each(published.inclusion)(
  "an inclusion path as published is accepted: leaf $leafIndex of $treeSize",
  (known) => {
    const leaf = hashLeaf(parseHex(published.leaves[known.leafIndex] ?? ""));
    const root = parseHex(published.roots[known.treeSize - 1] ?? "");
    verifyInclusion(leaf, known.leafIndex, known.treeSize, known.path.map(parseHex), root);
  },
);

test("an inclusion path is accepted in trees of more than 2^32 leaves, and not one leaf beside", () => {
  const tree = sparseTree([2 ** 40]);
  for (const size of [2 ** 40 + 1, 2 ** 41 + 3, Number.MAX_SAFE_INTEGER]) {
    const path = PATH(2 ** 40, 0, size, tree);
    const verify = (index: number) =>
      verifyInclusion(tree(2 ** 40, 2 ** 40 + 1), index, size, path, tree(0, size));
    verify(2 ** 40);
    expect(() => verify(2 ** 40 - 1)).toThrow(proofInvalid);
  }
});

test("an inclusion path is refused with any one bit of leaf hash, path or root turned", () => {
  const isAcceptedFlipped = (index: number, size: number, bit: number): boolean => {
    const hashes: ProofHashes = [leafOf(index), rootOf(size), ...inclusionPathOf(index, size)];
    const [leaf, root, ...path] = withFlippedBit(hashes, bit);
    return isAccepted(() => verifyInclusion(leaf, index, size, path, root));
  };
  const accepted = ascending(5 * 256, (bit) => bit).filter((bit) => isAcceptedFlipped(3, 7, bit));
  expect(accepted).toEqual([]);
  fc.assert(
    fc.property(
      placeTo(EXHAUSTIVE_SIZE),
      fc.nat(),
      ([index, size], bit) => !isAcceptedFlipped(index, size, bit),
    ),
    { numRuns: 500 },
  );
});

// The root binds the turns of the path, not the two numbers: RFC 9162 leaves it to the signed tree head to bind
// the size, and given the size each index has turns of its own.
test("an inclusion path is accepted under another index and size exactly where they mean the same turns", () => {
  const places = placesTo(SHAPE_SIZE);
  for (const [index, size] of places) {
    const [leaf, path, root] = [leafOf(index), inclusionPathOf(index, size), rootOf(size)];
    const accepted = places.filter(([i, n]) => isAccepted(() => verifyInclusion(leaf, i, n, path, root)));
    const shape = inclusionShape(index, size);
    expect(accepted).toEqual(places.filter(([i, n]) => inclusionShape(i, n) === shape));
  }
});

test("an inclusion path is refused under every other index of its own tree", () => {
  for (const [index, size] of placesTo(20)) {
    const [leaf, path, root] = [leafOf(index), inclusionPathOf(index, size), rootOf(size)];
    const accepted = ascending(size, (i) => i).filter((i) =>
      isAccepted(() => verifyInclusion(leaf, i, size, path, root)),
    );
    expect(accepted).toEqual([index]);
  }
});

test("an inclusion path is refused one node longer or shorter, at either end", () => {
  for (const [index, size] of placesTo(40)) {
    const [leaf, root] = [leafOf(index), rootOf(size)];
    for (const extra of [leaf, root]) {
      const accepted = withOtherLength(inclusionPathOf(index, size), extra).filter((path) =>
        isAccepted(() => verifyInclusion(leaf, index, size, path, root)),
      );
      expect(accepted).toEqual([]);
    }
  }
});

test.each([
  ["past the end", 7, 7],
  ["negative", -1, 7],
  ["a fraction", 0.5, 7],
  ["not a number", Number.NaN, 7],
  ["in an empty tree", 0, 0],
  ["in a tree of an infinite size", 0, Number.POSITIVE_INFINITY],
])("an inclusion path is refused for a leaf index that is %s", (_, index, size) => {
  expect(() => verifyInclusion(leafOf(0), index, size, inclusionPathOf(0, 7), rootOf(7))).toThrow(
    proofInvalid,
  );
});

test("an inclusion path is refused past the end of a tree of one leaf, though that leaf is its root", () => {
  expect(() => verifyInclusion(leafOf(0), 1, 1, [], leafOf(0))).toThrow(proofInvalid);
});

test("an inclusion path is refused in a tree beyond the safe integers", () => {
  const tree = sparseTree([]);
  const path = PATH(0, 0, 2 ** 53, tree);
  expect(() => verifyInclusion(tree(0, 1), 0, 2 ** 53, path, tree(0, 2 ** 53))).toThrow(proofInvalid);
});

test("an inclusion path is refused where a byte moved from one hash to the next, which leaves the hash over both", () => {
  const both = concatBytes(leafOf(0), leafOf(1));
  const [short, long] = [both.slice(0, 31), both.slice(31)];
  expect(hashBytes(concatBytes(Uint8Array.of(1), short, long))).toEqual(rootOf(2));
  expect(() => verifyInclusion(short, 0, 2, [long], rootOf(2))).toThrow(proofInvalid);
});

test("an inclusion path is refused with any one hash a byte short, and so are a leaf and a root of equal bytes", () => {
  const hashes = [leafOf(3), ...inclusionPathOf(3, 7), rootOf(7)];
  for (const place of hashes.keys()) {
    const [leaf = leafOf(3), ...rest] = hashes.map((hash, i) => (i === place ? hash.slice(1) : hash));
    const [path, root] = [rest.slice(0, -1), rest.at(-1) ?? rootOf(7)];
    expect(() => verifyInclusion(leaf, 3, 7, path, root)).toThrow(proofInvalid);
  }
  const short = leafOf(0).slice(1);
  expect(() => verifyInclusion(short, 0, 1, [], short)).toThrow(proofInvalid);
});
