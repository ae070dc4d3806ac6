import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concatBytes } from "../../../../evidence/core/bytes.ts";
import { LeafTiles, leafTilesBetween } from "../../../../evidence/core/log/leaf-tiles.ts";

const SIZE = 600;
const hashes = Array.from({ length: SIZE }, (_, i) => new Uint8Array(32).fill(i % 251));
const slice = (from: number, to: number): Uint8Array => concatBytes(...hashes.slice(from, to));

function tilesOf(size: number): LeafTiles {
  const tiles = new LeafTiles();
  for (const { index, width } of leafTilesBetween(0, size))
    tiles.set(index, slice(256 * index, 256 * index + width));
  return tiles;
}

describe("leaf hashes in tiles", () => {
  test("are read from any place to any other", () => {
    const tiles = tilesOf(SIZE);
    const range = fc
      .tuple(fc.nat(SIZE), fc.nat(SIZE))
      .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
    fc.assert(
      fc.property(range, ([from, to]) => {
        expect(Buffer.compare(tiles.read(from, to), slice(from, to))).toBe(0);
      }),
    );
  });

  test("are fewer where a tile is not there", () => {
    expect(tilesOf(300).read(250, 400)).toHaveLength(50 * 32);
    expect(new LeafTiles().read(0, 10)).toHaveLength(0);
  });

  test("grow from the tile that was not yet full", () => {
    expect([...leafTilesBetween(0, 1)]).toEqual([{ index: 0, width: 1 }]);
    expect([...leafTilesBetween(300, 600)]).toEqual([
      { index: 1, width: 256 },
      { index: 2, width: 88 },
    ]);
    expect([...leafTilesBetween(256, 256)]).toEqual([]);
  });
});
