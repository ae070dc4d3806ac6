import fc from "fast-check";
import { expect, test } from "vitest";
import { formatHex, parseHex } from "../../../../evidence/core/bytes.ts";
import { isDisclosureError } from "../../../../evidence/core/errors.ts";
import { HASH_BYTES, hashLeaf } from "../../../../evidence/core/merkle/hash.ts";
import {
  appendLeaf,
  buildConsistencyPath,
  buildInclusionPath,
  completeSubtrees,
  leavesForConsistency,
  leavesForInclusion,
  leftPathLength,
  rootAt,
  sizeAt,
  subtreeEndingAt,
  type TreeLeaf,
} from "../../../../evidence/core/merkle/merkle-tree.ts";
import { leafHash, type Mth, PATH, PROOF, treeOf } from "../../../support/rfc9162.ts";
import { ascending, sparseTree, storedLeafOf } from "../../../support/trees.ts";
import published from "../../../vectors/certificate-transparency/eight-leaves.json" with { type: "json" };

const EXHAUSTIVE_SIZE = 130;
const RANDOM_SIZE = 2 ** 17;
const HUGE_SIZE = Number.MAX_SAFE_INTEGER;

const hexOf = (path: readonly Uint8Array[]): string[] =>
  path.map((node) => Buffer.from(node).toString("hex"));

function grow(entries: Iterable<Uint8Array>): TreeLeaf[] {
  const leaves: TreeLeaf[] = [];
  for (const entry of entries) leaves.push(appendLeaf(leaves.at(-1) ?? null, hashLeaf(entry)));
  return leaves;
}

const at = (leaves: readonly TreeLeaf[]) => (leafIndex: number) => {
  const leaf = leaves[leafIndex];
  if (leaf === undefined) throw new Error(`no leaf ${leafIndex}`);
  return leaf;
};

const entryOf = (index: number): Uint8Array => Uint8Array.of(index >> 16, index >> 8, index);
const leaves = grow(ascending(RANDOM_SIZE, entryOf));
const leafAt = at(leaves);
const leafHashes = ascending(RANDOM_SIZE, (index) => leafHash(entryOf(index)));
const mth: Mth = treeOf((index) => leafHashes[index] ?? new Uint8Array());

const inclusion = (leafIndex: number, treeSize: number) =>
  hexOf(buildInclusionPath(leafIndex, treeSize, leafAt));
const consistency = (previousSize: number, treeSize: number) =>
  hexOf(buildConsistencyPath(previousSize, treeSize, leafAt));

test("the roots of the Certificate Transparency test tree come out at every size", () => {
  const roots = grow(published.leaves.map(parseHex)).map((leaf) => formatHex(rootAt(leaf)));
  expect(roots).toEqual(published.roots);
});

test.each(published.inclusion)(
  "the published audit path of leaf $leafIndex in $treeSize comes out",
  (known) => {
    const tree = at(grow(published.leaves.map(parseHex)));
    expect(hexOf(buildInclusionPath(known.leafIndex, known.treeSize, tree))).toEqual(known.path);
  },
);

test.each(published.consistency)(
  "the published consistency path from $previousSize to $treeSize comes out",
  (known) => {
    const tree = at(grow(published.leaves.map(parseHex)));
    expect(hexOf(buildConsistencyPath(known.previousSize, known.treeSize, tree))).toEqual(known.path);
  },
);

test("the root after each appended leaf is the RFC's tree head", () => {
  for (const leaf of leaves.slice(0, EXHAUSTIVE_SIZE)) {
    expect(formatHex(rootAt(leaf))).toBe(formatHex(mth(0, leaf.leafIndex + 1)));
  }
});

test("the inclusion path of every leaf in every tree to 130 leaves is the RFC's", () => {
  for (let size = 1; size <= EXHAUSTIVE_SIZE; size++) {
    const paths = ascending(size, (index) => inclusion(index, size));
    expect(paths).toEqual(ascending(size, (index) => hexOf(PATH(index, 0, size, mth))));
  }
});

test("the consistency path between all sizes to 130 leaves is the RFC's", () => {
  for (let size = 1; size <= EXHAUSTIVE_SIZE; size++) {
    const paths = ascending(size, (index) => consistency(index + 1, size));
    expect(paths).toEqual(ascending(size, (index) => hexOf(PROOF(index + 1, size, mth))));
  }
});

test("random trees to 131,072 leaves have the RFC's roots and paths", () => {
  const sizes = fc
    .tuple(fc.integer({ min: 1, max: RANDOM_SIZE }), fc.nat())
    .map(([size, n]) => [n % size, size] as const);
  fc.assert(
    fc.property(sizes, ([index, size]) => {
      expect(formatHex(rootAt(leafAt(size - 1)))).toBe(formatHex(mth(0, size)));
      expect(inclusion(index, size)).toEqual(hexOf(PATH(index, 0, size, mth)));
      expect(consistency(index + 1, size)).toEqual(hexOf(PROOF(index + 1, size, mth)));
    }),
    { numRuns: 200 },
  );
});

test.each([
  [2 ** 31, 2 ** 32 + 1],
  [2 ** 32, 2 ** 32 + 1],
  [2 ** 40, 2 ** 41 + 3],
  [2 ** 41 + 1, 2 ** 41 + 3],
  [0, HUGE_SIZE],
  [HUGE_SIZE - 1, HUGE_SIZE],
])("leaf %d in a tree of %d leaves has the RFC's root and paths", (index, size) => {
  const tree = sparseTree([0, 2 ** 31 - 1, 2 ** 32, 2 ** 40, 2 ** 41 + 1, HUGE_SIZE - 1]);
  const storedAt = storedLeafOf(tree);
  expect(formatHex(rootAt(storedAt(size - 1)))).toBe(formatHex(tree(0, size)));
  expect(hexOf(buildInclusionPath(index, size, storedAt))).toEqual(hexOf(PATH(index, 0, size, tree)));
  expect(hexOf(buildConsistencyPath(index + 1, size, storedAt))).toEqual(hexOf(PROOF(index + 1, size, tree)));
});

test("appending beyond 2^40 leaves carries as it does at the start", () => {
  const tree = sparseTree([2 ** 40 - 1]);
  const storedAt = storedLeafOf(tree);
  const next = appendLeaf(storedAt(2 ** 40 - 1), tree(2 ** 40, 2 ** 40 + 1));
  expect(next).toEqual(storedAt(2 ** 40));
});

test("the planner names exactly the leaves that are read, ascending, at most log2(n) + 1", () => {
  const size = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: HUGE_SIZE }));
  const place = size.chain((n) => fc.tuple(fc.integer({ min: 0, max: n - 1 }), fc.constant(n)));
  const hash = new Uint8Array(HASH_BYTES);
  fc.assert(
    fc.property(place, ([index, treeSize]) => {
      const read = new Set<number>();
      const spy = (leafIndex: number) => {
        read.add(leafIndex);
        return { leafIndex, leafHash: hash, leftPath: ascending(leftPathLength(leafIndex), () => hash) };
      };
      const most = treeSize.toString(2).length;

      buildInclusionPath(index, treeSize, spy);
      expect(leavesForInclusion(index, treeSize)).toEqual([...read].sort((a, b) => a - b));
      expect(read.size).toBeLessThanOrEqual(most);

      read.clear();
      buildConsistencyPath(index + 1, treeSize, spy);
      expect(leavesForConsistency(index + 1, treeSize)).toEqual([...read].sort((a, b) => a - b));
      expect(read.size).toBeLessThanOrEqual(most);
    }),
    { numRuns: 150 },
  );
});

test("a left path has one hash for each set bit of the leaf's index", () => {
  for (const leaf of leaves.slice(0, EXHAUSTIVE_SIZE)) {
    const bits = leaf.leafIndex.toString(2).replaceAll("0", "").length;
    expect(leaf.leftPath).toHaveLength(bits);
    expect(leftPathLength(leaf.leafIndex)).toBe(bits);
  }
  expect(leftPathLength(HUGE_SIZE)).toBe(53);
});

test("the left path of the newest leaf is its own inclusion path", () => {
  for (const leaf of leaves.slice(0, EXHAUSTIVE_SIZE)) {
    expect(hexOf(leaf.leftPath)).toEqual(inclusion(leaf.leafIndex, leaf.leafIndex + 1));
  }
});

test("a tree has the size of its last leaf's place and one, and 0 before the first", () => {
  expect([null, leafAt(0), leafAt(6)].map(sizeAt)).toEqual([0, 1, 7]);
});

test("every complete subtree has the RFC's tree head", () => {
  for (const leaf of leaves.slice(0, EXHAUSTIVE_SIZE)) {
    const end = leaf.leafIndex + 1;
    for (let level = 0; end % 2 ** level === 0; level++) {
      expect(formatHex(subtreeEndingAt(leaf, level))).toBe(formatHex(mth(end - 2 ** level, end)));
    }
  }
});

test("the complete subtrees up to a leaf are the left path of the next one", () => {
  for (const leaf of leaves.slice(0, EXHAUSTIVE_SIZE)) {
    expect(hexOf(completeSubtrees(leaf))).toEqual(hexOf(leafAt(leaf.leafIndex + 1).leftPath));
  }
});

test("appending leaves the previous leaf as it was", () => {
  const previous = Object.freeze({ ...leafAt(6), leftPath: Object.freeze([...leafAt(6).leftPath]) });
  expect(appendLeaf(previous, leafAt(7).leafHash)).toEqual(leafAt(7));
});

test("a path from no leaves and between equal sizes is empty and reads nothing", () => {
  const never = () => expect.unreachable();
  expect(buildConsistencyPath(0, 5, never)).toEqual([]);
  expect(buildConsistencyPath(5, 5, never)).toEqual([]);
  expect(buildInclusionPath(0, 1, never)).toEqual([]);
});

test.each([
  ["a leaf past the end", () => leavesForInclusion(5, 5)],
  ["a leaf of the empty tree", () => leavesForInclusion(0, 0)],
  ["a negative leaf", () => leavesForInclusion(-1, 5)],
  ["half a leaf", () => leavesForInclusion(0.5, 5)],
  ["a size beyond the safe integers", () => leavesForInclusion(1, 2 ** 53)],
  ["an old tree larger than the new one", () => leavesForConsistency(6, 5)],
  ["a negative size", () => leavesForConsistency(-1, 5)],
  ["no number", () => leavesForConsistency(Number.NaN, 5)],
])("%s is refused as malformed", (_, ask) => {
  expect(ask).toThrow(expect.toSatisfy((error) => isDisclosureError(error, "malformed")));
});

test("a stored leaf whose left path lost its hashes is refused, not read as another tree", () => {
  const damaged = { ...leafAt(7), leftPath: [] };
  const invalid = expect.toSatisfy((error) => isDisclosureError(error, "proof_invalid"));
  expect(() => appendLeaf(damaged, leafAt(8).leafHash)).toThrow(invalid);
  expect(() => buildInclusionPath(7, 8, () => damaged)).toThrow(invalid);
});
