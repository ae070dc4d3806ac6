import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concatBytes, formatHex } from "../../../../evidence/core/bytes.ts";
import type { SealedHead } from "../../../../evidence/core/formats/chain-history.ts";
import { ChainHistory } from "../../../../evidence/core/log/chain-history.ts";
import type { ReadLeaves } from "../../../../evidence/core/log/leaf-bundles.ts";
import { formatNode } from "../../../../evidence/core/merkle/hash.ts";
import { leafHash, treeOf } from "../../../support/rfc9162.ts";

const CHAIN = "790e9a7a5ff6580cad4edfa8a5b637f8";
const RECEIPTS = 700;
const SIZES = [1, 2, 255, 256, 300, 512, RECEIPTS];

const half = (text: string): Uint8Array => leafHash(new TextEncoder().encode(text));
const labelOf = (index: number): Uint8Array => half(`label ${index}`);
const leafOf = (index: number): Uint8Array => concatBytes(labelOf(index), half(`receipt ${index}`));
const leaves = Array.from({ length: RECEIPTS }, (_, i) => leafOf(i));
const tree = treeOf((index) => leafHash(leaves[index] ?? leafOf(index)));

const readFrom =
  (told: readonly Uint8Array[]): ReadLeaves =>
  (from, to) =>
    concatBytes(...told.slice(from, to));

const headsOf = (sizes: readonly number[], mth = tree): SealedHead[] =>
  sizes.map((tree_size, i) => ({
    head_index: i,
    tree_size,
    root: formatNode(mth(0, tree_size)),
    leaf_index: 10 * i,
    seal_index: i,
  }));

function historyOf(heads: readonly SealedHead[], told = leaves): ChainHistory {
  const history = new ChainHistory(CHAIN, readFrom(told));
  for (const head of heads) history.add(head);
  return history;
}

const honest = headsOf(SIZES);
const changed = (index: number, change: Partial<SealedHead>): SealedHead[] =>
  honest.map((head, i) => (i === index ? { ...head, ...change } : head));

describe("a chain's history", () => {
  test("takes every head that is the root of the leaves up to it", () => {
    const history = historyOf(honest);
    expect(history.size).toBe(RECEIPTS);
    expect(history.heads).toEqual(honest);
  });

  test("gives the leaf, the first head over it, and the root of any size", () => {
    const history = historyOf(honest);
    const check = (sequence: number) => {
      expect(history.leafHash(sequence)).toEqual(leafHash(leafOf(sequence)));
      expect(history.headOver(sequence)?.tree_size).toBe(SIZES.find((size) => size > sequence));
      expect(formatHex(history.rootAt(sequence + 1) ?? new Uint8Array())).toBe(
        formatHex(tree(0, sequence + 1)),
      );
    };
    for (const edge of [0, 254, 255, 256, 511, 512, RECEIPTS - 1]) check(edge);
    fc.assert(fc.property(fc.nat(RECEIPTS - 1), check), { numRuns: 30 });
  });

  test("says nothing of what no sealed head covers", () => {
    for (const heads of [[], honest.slice(0, 3), honest.slice(0, 5)]) {
      const history = historyOf(heads);
      const { size } = history;
      const said = [history.leafHash(size), history.headOver(size), history.rootAt(size + 1)];
      expect([...said, history.rootAt(0)]).toEqual([null, null, null, null]);
    }
  });

  test.each([[[256]], [[512]], [[1, 600]], [[300, 700]], [[255, 513]]])(
    "gives the root of any size, whichever sizes its heads have: %j",
    (sizes) => {
      const history = historyOf(headsOf(sizes));
      for (let size = 1; size <= history.size; size++) expect(history.rootAt(size)).toEqual(tree(0, size));
    },
  );

  test("reads less than 256 leaves for the root of any size", () => {
    let asked = 0;
    const history = new ChainHistory(CHAIN, (from, to) => {
      asked += to - from;
      return readFrom(leaves)(from, to);
    });
    for (const head of honest) history.add(head);
    for (let size = 1; size <= RECEIPTS; size++) {
      asked = 0;
      history.rootAt(size);
      expect(asked).toBeLessThan(256);
    }
  });

  test("finds the places of a label, however often it occurs, and in what it grew by", () => {
    const doubled = leaves.with(500, concatBytes(labelOf(3), half("another receipt")));
    const mth = treeOf((index) => leafHash(doubled[index] ?? leafOf(index)));
    const [before, after] = [headsOf(SIZES.slice(0, 5), mth), headsOf(SIZES, mth).slice(5)];
    const history = historyOf(before, doubled);
    expect([history.placesOf(labelOf(3)), history.placesOf(labelOf(299))]).toEqual([[3], [299]]);
    for (const head of after) history.add(head);
    expect([history.placesOf(labelOf(3)), history.placesOf(labelOf(0))]).toEqual([[3, 500], [0]]);
    for (const absent of [labelOf(500), labelOf(RECEIPTS), half("receipt 3"), new Uint8Array(32)])
      expect(history.placesOf(absent)).toEqual([]);
  });

  test("finds labels that were chosen to be alike", () => {
    const alike = (end: number): Uint8Array =>
      Uint8Array.from({ length: 32 }, (_, i) => (i === 31 ? end : 7));
    const chosen = [3, 1, 2, 1, 0].map((end) => concatBytes(alike(end), half("core")));
    const mth = treeOf((index) => leafHash(chosen[index] ?? leafOf(index)));
    const history = historyOf(headsOf([5], mth), chosen);
    expect([0, 1, 2, 3, 4].map((end) => history.placesOf(alike(end)))).toEqual([[4], [1, 3], [2], [0], []]);
    expect(historyOf([]).placesOf(labelOf(0))).toEqual([]);
  });

  test("takes two heads that one seal published, one behind the other", () => {
    expect(historyOf(changed(3, { seal_index: 2 })).size).toBe(RECEIPTS);
  });

  test("finds a leaf that was changed, dropped, doubled or moved, under whichever head", () => {
    const rewrites: ((at: number) => Uint8Array[])[] = [
      (at) => leaves.map((leaf, i) => (i === at ? leafOf(-1) : leaf)),
      (at) => leaves.toSpliced(at, 1),
      (at) => leaves.toSpliced(at, 0, leaves[at] ?? leafOf(at)),
      (at) => leaves.toSpliced(at, 2, leafOf(at + 1), leafOf(at)),
    ];
    const place = fc.record({ rewrite: fc.constantFrom(...rewrites), at: fc.nat(RECEIPTS - 2) });
    const check = ({ rewrite, at }: { rewrite: (at: number) => Uint8Array[]; at: number }) => {
      expect(() => historyOf(honest, rewrite(at))).toThrow(
        expect.objectContaining({ code: "proof_invalid" }),
      );
    };
    fc.assert(fc.property(place, check), { numRuns: 60 });
  });

  test("finds a fork: a later head that does not extend an earlier one, though each has its leaves", () => {
    const forkedLeaves = leaves.map((leaf, i) => (i >= 200 ? leafOf(-i) : leaf));
    const forked = treeOf((index) => leafHash(forkedLeaves[index] ?? leafOf(index)));
    const heads = [...honest.slice(0, 4), ...headsOf(SIZES, forked).slice(4)];
    expect(() => historyOf(heads, forkedLeaves)).toThrow(/head 2 is not the root/);
    expect(() => historyOf(heads, leaves)).toThrow(/head 4 is not the root/);
  });

  test.each<[string, SealedHead[], RegExp]>([
    ["begins at another head than 0", honest.slice(1), /head 0 is missing/],
    ["skips a head", honest.toSpliced(3, 1), /head 3 is missing/],
    ["tells a head twice", honest.toSpliced(3, 0, honest[2] as SealedHead), /head 3 is missing/],
    ["does not grow", changed(3, { tree_size: 255, root: formatNode(tree(0, 255)) }), /does not grow/],
    ["goes back in the metachain", changed(3, { leaf_index: 5 }), /stands before head 2/],
    ["stands still in the metachain", changed(3, { leaf_index: 20 }), /stands before head 2/],
    ["goes back to an earlier seal", changed(3, { seal_index: 1 }), /stands before head 2/],
    ["has a head beyond its leaves", changed(6, { tree_size: 900 }), /leaves are missing/],
  ])("is refused where it %s", (_, heads, message) => {
    expect(() => historyOf(heads)).toThrow(message);
  });
});
