// Tiles: which a growing log needs, where they are, and that a tree of any size comes out of their bytes again.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isDisclosureError } from "../../../../evidence/core/errors.ts";
import {
  buildTile,
  edgeTiles,
  entriesPath,
  formatEntries,
  leafToVerify,
  leavesForTile,
  parseEntries,
  parseTile,
  type Tile,
  tilePath,
  tilesBetween,
  verifyTile,
} from "../../../../evidence/core/log/tiles.ts";
import { leafHash, PATH, treeOf } from "../../../support/rfc9162.ts";
import { ascending, sparseTree, storedLeafOf } from "../../../support/trees.ts";

const WIDTH = 256;
const malformed = (error: unknown) => isDisclosureError(error) && error.code === "malformed";
const keyOf = (tile: Tile): string => tilePath(tile);

describe("the path of", () => {
  test.each([
    [{ level: 0, index: 7, width: WIDTH }, "tile/0/007"],
    [{ level: 0, index: 1_234_067, width: WIDTH }, "tile/0/x001/x234/067"],
    [{ level: 1, index: 1_000, width: 112 }, "tile/1/x001/000.p/112"],
    [{ level: 2, index: 0, width: 1 }, "tile/2/000.p/1"],
  ])("%j is %s", (tile, path) => expect(tilePath(tile)).toBe(path));

  test("a bundle stands where the tile of level 0 would", () => {
    expect(entriesPath({ index: 1_234_067, width: 3 })).toBe("tile/entries/x001/x234/067.p/3");
  });
});

describe("the tiles between two sizes", () => {
  test("of the specification's example, 70,000 entries, are 274 at level 0, 2 at level 1 and 1 at level 2", () => {
    const tiles = tilesBetween(0, 70_000);
    const widths = (level: number) => tiles.filter((tile) => tile.level === level).map(({ width }) => width);
    expect([widths(0).length, widths(0).at(-1)]).toEqual([274, 112]);
    expect(widths(1)).toEqual([256, 17]);
    expect(widths(2)).toEqual([1]);
    expect(tiles.map(({ level }) => level)).toEqual(tiles.map(({ level }) => level).sort());
  });

  test("are none where nothing was added, and one hash more is one tile at least", () => {
    expect(tilesBetween(300, 300)).toEqual([]);
    expect(tilesBetween(256, 257)).toEqual([{ level: 0, index: 1, width: 1 }]);
    expect(tilesBetween(255, 256)).toEqual([
      { level: 0, index: 0, width: 256 },
      { level: 1, index: 0, width: 1 },
    ]);
  });

  test("are, over every step, all that a reader of the newest size needs", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40_000 }), { minLength: 1, maxLength: 8 }), (steps) => {
        const written = new Set<string>();
        let size = 0;
        for (const step of steps) {
          for (const tile of tilesBetween(size, size + step)) written.add(keyOf(tile));
          size += step;
        }
        for (const tile of tilesBetween(0, size)) expect(written).toContain(keyOf(tile));
      }),
      { numRuns: 50 },
    );
  });

  test("hold at sizes near 2^53", () => {
    const size = Number.MAX_SAFE_INTEGER;
    const tiles = tilesBetween(size - 1, size);
    // One leaf more fills no tile here, so none above changes.
    expect(tiles.map(({ level, width }) => [level, width])).toEqual([[0, 255]]);
    expect(leavesForTile(tiles[0] ?? expect.unreachable()).at(-1)).toBe(size - 1);
  });
});

test("the last tiles of a tree are those of tilesBetween, at every size", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 300_000 }), (size) => {
      const last = new Map(tilesBetween(0, size).map((tile) => [tile.level, tile]));
      expect(edgeTiles(size)).toEqual([...last.values()]);
    }),
    { numRuns: 50 },
  );
  expect(edgeTiles(Number.MAX_SAFE_INTEGER)).toHaveLength(7);
});

describe("the bytes of", () => {
  test("a tile are the roots of its subtrees, at every level", () => {
    const size = 3 * WIDTH ** 2 + 5 * WIDTH + 3;
    const mth = sparseTree([0, 255, 256, WIDTH ** 2, size - 1]);
    for (const tile of tilesBetween(size - 300, size)) {
      const bytes = buildTile(tile, storedLeafOf(mth));
      const under = WIDTH ** tile.level;
      const first = tile.index * WIDTH;
      expect(parseTile(bytes, tile.width)).toEqual(
        ascending(tile.width, (i) => mth((first + i) * under, (first + i + 1) * under)),
      );
    }
  });

  test("a full tile hash to one hash of the level above", () => {
    const mth = treeOf((i) => leafHash(Uint8Array.of(i >> 8, i)));
    const low = parseTile(buildTile({ level: 0, index: 1, width: WIDTH }, storedLeafOf(mth)), WIDTH);
    const [, high] = parseTile(buildTile({ level: 1, index: 0, width: 2 }, storedLeafOf(mth)), 2);
    expect(treeOf((i) => low[i] ?? expect.unreachable())(0, WIDTH)).toEqual(high);
    expect(
      PATH(
        0,
        0,
        WIDTH,
        treeOf((i) => low[i] ?? expect.unreachable()),
      ),
    ).toHaveLength(8);
  });

  test("a tile are verified against a leaf at its end, and no hash in them may be another", () => {
    const size = 3 * WIDTH ** 2 + 5 * WIDTH + 3;
    const mth = sparseTree([0, 255, 256, WIDTH ** 2, size - 1]);
    const leafAt = storedLeafOf(mth);
    for (const tile of tilesBetween(size - WIDTH ** 2, size).filter(
      ({ level, width }) => level > 0 || width < WIDTH,
    )) {
      const bytes = buildTile(tile, leafAt);
      const good = leafAt(leafToVerify(tile, size));
      verifyTile(tile, bytes, size, good);
      for (const hash of [0, tile.width >> 1, tile.width - 1]) {
        const damaged = Uint8Array.from(bytes);
        damaged[hash * 32] = (damaged[hash * 32] ?? 0) ^ 1;
        expect(() => verifyTile(tile, damaged, size, good), `${tilePath(tile)}: ${hash}`).toThrow("subtrees");
      }
    }
  });

  test("a tile are refused in another length", () => {
    for (const length of [0, 31, 33, 96]) {
      expect(() => parseTile(new Uint8Array(length), 2)).toThrow(expect.toSatisfy(malformed));
    }
  });

  test("a bundle come back as entries, each behind its length, and anything else is refused", () => {
    const entries = [new Uint8Array(64).fill(1), new Uint8Array(), new Uint8Array(300).fill(2)];
    const bytes = formatEntries(entries);
    expect([...bytes.subarray(0, 2)]).toEqual([0, 64]);
    expect(parseEntries(bytes, 3)).toEqual(entries);
    for (const [damaged, width] of [
      [bytes, 2],
      [bytes, 4],
      [bytes.subarray(0, -1), 3],
      [new Uint8Array([...bytes, 0]), 3],
    ] as const) {
      expect(() => parseEntries(damaged, width)).toThrow(expect.toSatisfy(malformed));
    }
  });
});
