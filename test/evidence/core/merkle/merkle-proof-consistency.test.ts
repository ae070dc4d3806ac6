import fc from "fast-check";
import { expect, test } from "vitest";
import { concatBytes, parseHex } from "../../../../evidence/core/bytes.ts";
import { isDisclosureError } from "../../../../evidence/core/errors.ts";
import { verifyConsistency } from "../../../../evidence/core/merkle/merkle-proof.ts";
import {
  consistencyPathOf,
  isAccepted,
  leafOf,
  type ProofHashes,
  placesTo,
  placeTo,
  rootOf,
  withFlippedBit,
  withOtherLength,
} from "../../../support/proofs.ts";
import { consistencyShape, PROOF } from "../../../support/rfc9162.ts";
import { ascending, sparseTree } from "../../../support/trees.ts";
import published from "../../../vectors/certificate-transparency/eight-leaves.json" with { type: "json" };

const EXHAUSTIVE_SIZE = 130;
const SHAPE_SIZE = 12;

const proofInvalid = expect.toSatisfy((error) => isDisclosureError(error, "proof_invalid"));

test("a consistency path is accepted between all sizes to 130 leaves", () => {
  for (const [index, size] of placesTo(EXHAUSTIVE_SIZE)) {
    verifyConsistency(index + 1, size, consistencyPathOf(index + 1, size), rootOf(index + 1), rootOf(size));
  }
});

test.each(published.consistency)(
  "a consistency path as published is accepted: $previousSize to $treeSize",
  (known) => {
    const rootAt = (size: number) => parseHex(published.roots[size - 1] ?? "");
    const { previousSize, treeSize } = known;
    verifyConsistency(
      previousSize,
      treeSize,
      known.path.map(parseHex),
      rootAt(previousSize),
      rootAt(treeSize),
    );
  },
);

test("a consistency path is accepted between trees of more than 2^32 leaves, and refused where an old leaf changed", () => {
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

test("a consistency path is refused with any one bit of path or either root turned", () => {
  const isAcceptedFlipped = (previousSize: number, size: number, bit: number): boolean => {
    const hashes: ProofHashes = [
      rootOf(previousSize),
      rootOf(size),
      ...consistencyPathOf(previousSize, size),
    ];
    const [previousRoot, root, ...path] = withFlippedBit(hashes, bit);
    return isAccepted(() => verifyConsistency(previousSize, size, path, previousRoot, root));
  };
  const accepted = ascending(6 * 256, (bit) => bit).filter((bit) => isAcceptedFlipped(3, 7, bit));
  expect(accepted).toEqual([]);
  fc.assert(
    fc.property(
      placeTo(EXHAUSTIVE_SIZE),
      fc.nat(),
      ([index, size], bit) => !isAcceptedFlipped(index + 1, size, bit),
    ),
    { numRuns: 500 },
  );
});

test("a consistency path is accepted under other sizes exactly where they mean the same turns", () => {
  const sizes = placesTo(SHAPE_SIZE).map(([index, n]): [number, number] => [index + 1, n]);
  for (const [m, n] of sizes) {
    const [path, previousRoot, root] = [consistencyPathOf(m, n), rootOf(m), rootOf(n)];
    const accepted = sizes.filter(([a, b]) =>
      isAccepted(() => verifyConsistency(a, b, path, previousRoot, root)),
    );
    const shape = consistencyShape(m, n);
    expect(accepted).toEqual(sizes.filter(([a, b]) => consistencyShape(a, b) === shape));
  }
});

test("a consistency path is refused one node longer or shorter, at either end", () => {
  for (const [index, size] of placesTo(40)) {
    const [previousRoot, root] = [rootOf(index + 1), rootOf(size)];
    for (const extra of [previousRoot, root]) {
      const accepted = withOtherLength(consistencyPathOf(index + 1, size), extra).filter((path) =>
        isAccepted(() => verifyConsistency(index + 1, size, path, previousRoot, root)),
      );
      expect(accepted).toEqual([]);
    }
  }
});

test("a consistency path is refused between two roots of one size", () => {
  expect(() => verifyConsistency(5, 5, [], rootOf(5), rootOf(6))).toThrow(proofInvalid);
});

test("a consistency path is refused from a tree to a smaller one, though both roots be the same", () => {
  expect(() => verifyConsistency(8, 7, [], rootOf(7), rootOf(7))).toThrow(proofInvalid);
  expect(() => verifyConsistency(8, 7, consistencyPathOf(7, 8), rootOf(8), rootOf(7))).toThrow(proofInvalid);
});

// Without the check, these climb as if the first node of the path were the old root, which it is here.
test.each([
  ["nothing", 0],
  ["a negative size", -3],
  ["a fraction", 1.5],
  ["no number", Number.NaN],
])("a consistency path is refused from %s, though hashes and turns fit", (_, previousSize) => {
  const path = [rootOf(1), ...consistencyPathOf(1, 7)];
  expect(() => verifyConsistency(previousSize, 7, path, rootOf(1), rootOf(7))).toThrow(proofInvalid);
});

test("a consistency path is refused to a size beyond the safe integers", () => {
  const tree = sparseTree([]);
  const path = PROOF(3, 2 ** 53, tree);
  expect(() => verifyConsistency(3, 2 ** 53, path, tree(0, 3), tree(0, 2 ** 53))).toThrow(proofInvalid);
});

test("a consistency path is refused where a byte moved from one hash to the next", () => {
  const both = concatBytes(leafOf(0), leafOf(1));
  const [short, long] = [both.slice(0, 31), both.slice(31)];
  expect(() => verifyConsistency(1, 2, [long], short, rootOf(2))).toThrow(proofInvalid);
});

test("a consistency path is refused with any one hash a byte short, and so are two roots of equal bytes", () => {
  const hashes = [rootOf(4), ...consistencyPathOf(4, 7), rootOf(7)];
  for (const place of hashes.keys()) {
    const [previousRoot = rootOf(4), ...rest] = hashes.map((hash, i) => (i === place ? hash.slice(1) : hash));
    const [path, root] = [rest.slice(0, -1), rest.at(-1) ?? rootOf(7)];
    expect(() => verifyConsistency(4, 7, path, previousRoot, root)).toThrow(proofInvalid);
  }
  const short = rootOf(5).slice(1);
  expect(() => verifyConsistency(5, 5, [], short, short)).toThrow(proofInvalid);
});
