// A walk over a log's entries: everything that it recomputes is as RFC 9162 and tlog-tiles define it, it can be cut off
// and gone on with, and a label that occurs twice is found.
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isDisclosureError } from "../../../../evidence/core/errors.ts";
import { LabelSet } from "../../../../evidence/core/log/label-set.ts";
import { LogWalk, WALK_BEGINNING } from "../../../../evidence/core/log/log-walk.ts";
import { tilePath, tilesBetween } from "../../../../evidence/core/log/tiles.ts";
import { leafHash, treeOf } from "../../../support/rfc9162.ts";
import { ascending } from "../../../support/trees.ts";
import { filesOf } from "../../../support/whole-tiles.ts";

const WIDTH = 256;
const SEED = Uint32Array.from({ length: 8 }, (_, i) => i * 2_654_435_761);
const malformed = (error: unknown) => isDisclosureError(error) && error.code === "malformed";

const entryAt = (index: number): Uint8Array =>
  Uint8Array.from(createHash("sha512").update(String(index)).digest());
const mth = treeOf((index) => leafHash(entryAt(index)));

function walkTo(size: number, walk = new LogWalk(SEED)): LogWalk {
  while (walk.size < size) expect(walk.add(entryAt(walk.size))).toBeNull();
  return walk;
}

describe("a walk", () => {
  test("has the root at every size", () => {
    const walk = new LogWalk(SEED);
    expect([walk.size, walk.root]).toEqual([0, null]);
    for (let size = 1; size <= 600; size++) expect(walkTo(size, walk).root).toEqual(mth(0, size));
  });

  test("has the newest tile of each level at every size, full and partial", () => {
    const walk = new LogWalk(SEED);
    for (const size of [1, 2, 255, 256, 257, 511, 512, 513, 1_000]) {
      const files = filesOf({ size, mth, entryAt });
      walkTo(size, walk);
      const newest = new Map(tilesBetween(0, size).map((tile) => [tile.level, tile]));
      for (const tile of newest.values()) {
        expect(Buffer.from(walk.tile(tile.level)), tilePath(tile)).toEqual(files.get(tilePath(tile)));
      }
    }
  });

  test("has those of level 2 past 65,536 entries, and goes on behind them", () => {
    const same = leafHash(new Uint8Array(64));
    const tree = treeOf((index) => (index < WIDTH ** 2 + 9 ? same : leafHash(new Uint8Array())));
    const walk = new LogWalk(SEED);
    // Labels are all the same here: every entry but the first is a second one.
    for (let i = 0; i < WIDTH ** 2 + 9; i++) expect(walk.add(new Uint8Array(64))).toBe(i === 0 ? null : 0);
    expect(walk.tile(2)).toEqual(tree(0, WIDTH ** 2));
    expect(walk.tile(1)).toHaveLength(WIDTH * 32);
    expect(walk.tile(0)).toHaveLength(9 * 32);
    expect(walk.root).toEqual(tree(0, WIDTH ** 2 + 9));
  });

  test.each([0, 1, 3])(
    "that was cut off after %i tiles comes to the same when another goes on with it",
    (tiles) => {
      const first = walkTo(tiles * WIDTH);
      const state = structuredClone(first.state);
      const second = walkTo(1_030, new LogWalk(SEED, state, first.labels(0, first.size)));
      const whole = walkTo(1_030);
      expect(second.root).toEqual(whole.root);
      for (const level of [0, 1]) expect(second.tile(level)).toEqual(whole.tile(level));
      // It knows the labels of what it has not walked itself.
      expect(second.add(entryAt(0))).toBe(0);
      expect(second.add(entryAt(700))).toBe(700);
    },
  );

  test("is refused with labels that are not those of its state, or in the middle of a tile", () => {
    const { state } = walkTo(WIDTH);
    expect(() => new LogWalk(SEED, state)).toThrow(expect.toSatisfy(malformed));
    expect(() => new LogWalk(SEED, WALK_BEGINNING, new Uint8Array(32))).toThrow(expect.toSatisfy(malformed));
    const middle = walkTo(5);
    expect(() => new LogWalk(SEED, middle.state, middle.labels(0, 5))).toThrow(expect.toSatisfy(malformed));
  });

  test.each([0, 63, 65])("refuses an entry of %i bytes", (length) => {
    expect(() => new LogWalk(SEED).add(new Uint8Array(length))).toThrow("entry 0 does not have 64 bytes");
  });
});

describe("a set of labels", () => {
  const label = (n: number, at = 31): Uint8Array => new Uint8Array(32).fill(n, at, at + 1);

  test("knows where each label came first, as a map does", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2_000), { maxLength: 3_000 }), (numbers) => {
        const [set, map] = [new LabelSet(SEED), new Map<number, number>()];
        for (const [place, n] of numbers.entries()) {
          expect(set.add(entryAt(n).subarray(0, 32))).toBe(map.get(n) ?? null);
          if (!map.has(n)) map.set(n, place);
        }
        expect(set.size).toBe(numbers.length);
      }),
      { numRuns: 20 },
    );
  });

  test("tells labels apart that differ in one byte, wherever that is", () => {
    const set = new LabelSet(SEED);
    const labels = ascending(32, (at) => label(1, at));
    for (const one of labels) expect(set.add(one)).toBeNull();
    for (const [place, one] of labels.entries()) expect(set.add(one)).toBe(place);
  });

  test("gives the labels from a place on, and takes them again", () => {
    const set = new LabelSet(SEED);
    for (let n = 0; n < 5; n++) set.add(label(n));
    expect([...set.from(3)]).toEqual([...label(3), ...label(4)]);
    expect(new LabelSet(SEED, set.from(0)).add(label(2))).toBe(2);
  });

  test("refuses labels and seeds of another length", () => {
    expect(() => new LabelSet(SEED).add(new Uint8Array(31))).toThrow(expect.toSatisfy(malformed));
    expect(() => new LabelSet(SEED, new Uint8Array(31))).toThrow(expect.toSatisfy(malformed));
    expect(() => new LabelSet(new Uint32Array(7))).toThrow(expect.toSatisfy(malformed));
  });
});
