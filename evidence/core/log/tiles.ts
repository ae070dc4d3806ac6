// The tiles of a log, as C2SP tlog-tiles has them: which a growing tree needs, their paths, and the bytes in them.
//
// Hash i of tile `index` at `level` is the root of the complete subtree of 256^level leaves that begins at leaf
// (256 · index + i) · 256^level. A level stands for eight levels of the tree; a reader computes those between.
import { concatBytes, equalBytes } from "../bytes.ts";
import { DisclosureError } from "../errors.ts";
import { HASH_BYTES } from "../merkle/hash.ts";
import {
  appendLeaf,
  completeSubtrees,
  leftPathLength,
  subtreeEndingAt,
  type TreeLeaf,
} from "../merkle/merkle-tree.ts";

/** The hashes of a full tile, and the entries of a full bundle. */
export const TILE_WIDTH = 256;
/** The levels of the tree that one level of tiles stands for: log2 of the width. */
export const LEVELS_PER_TILE = 8;
/** An entry stands behind its length, a big-endian uint16. */
const LENGTH_BYTES = 2;
const DIGITS_PER_PART = 3;

/** A tile by its place. `width` is how many hashes are in it: 256 in a full one, 1 to 255 in a partial one. */
export interface Tile {
  readonly level: number;
  readonly index: number;
  readonly width: number;
}

/** A bundle of entries has the place of a tile of level 0. */
export type EntryBundle = Omit<Tile, "level">;

/** The path below the log's prefix, as `tile/0/x001/067` or, of a partial tile, `tile/0/x001/067.p/12`. */
export const tilePath = ({ level, ...place }: Tile): string => `tile/${level}/${formatTilePlace(place)}`;

/** The path of a bundle of entries, as `tile/entries/x001/067`. */
export const entriesPath = (bundle: EntryBundle): string => `tile/entries/${formatTilePlace(bundle)}`;

/** The path below the level, as `x001/067` or, of a partial tile, `x001/067.p/12`. */
export function formatTilePlace({ index, width }: EntryBundle): string {
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / DIGITS_PER_PART) * DIGITS_PER_PART, "0");
  const parts = padded.match(/\d{3}/g) ?? [];
  const path = parts.map((part, i) => (i < parts.length - 1 ? `x${part}` : part)).join("/");
  return width === TILE_WIDTH ? path : `${path}.p/${width}`;
}

/**
 * The tiles that a tree of `size` leaves has and one of `previousSize` had not, lowest level first: full ones, and at
 * most one partial tile a level.
 */
export function tilesBetween(previousSize: number, size: number): Tile[] {
  const tiles: Tile[] = [];
  for (let level = 0, [from, to] = [previousSize, size]; to > from; level++) {
    for (let index = Math.floor(from / TILE_WIDTH); index * TILE_WIDTH < to; index++) {
      tiles.push({ level, index, width: Math.min(TILE_WIDTH, to - index * TILE_WIDTH) });
    }
    [from, to] = [Math.floor(from / TILE_WIDTH), Math.floor(to / TILE_WIDTH)];
  }
  return tiles;
}

/** The last bundle of a log of `size` entries, full or partial. */
export function lastBundle(size: number): EntryBundle {
  const index = Math.floor((size - 1) / TILE_WIDTH);
  return { index, width: size - index * TILE_WIDTH };
}

/** The last tile of each level of a tree of `size` leaves, full or partial, lowest level first. */
export function edgeTiles(size: number): Tile[] {
  const tiles: Tile[] = [];
  for (let level = 0, count = size; count > 0; level++, count = Math.floor(count / TILE_WIDTH)) {
    tiles.push({ level, ...lastBundle(count) });
  }
  return tiles;
}

/** The leaves that `buildTile` asks for, ascending: each is the last under one hash of the tile. */
export function leavesForTile({ level, index, width }: Tile): number[] {
  const leavesUnder = TILE_WIDTH ** level;
  return Array.from({ length: width }, (_, i) => (index * TILE_WIDTH + i + 1) * leavesUnder - 1);
}

/** The tile's bytes, put together from the left paths of its leaves. */
export function buildTile(tile: Tile, leafAt: (leafIndex: number) => TreeLeaf): Uint8Array {
  const treeLevel = tile.level * LEVELS_PER_TILE;
  return concatBytes(...leavesForTile(tile).map((leaf) => subtreeEndingAt(leafAt(leaf), treeLevel)));
}

/** The last leaf under a tile. */
export const lastLeafOf = ({ level, index, width }: Tile): number =>
  (index * TILE_WIDTH + width) * TILE_WIDTH ** level - 1;

/**
 * The leaf that a tile of a tree of `size` leaves can be checked against: the last one under a full tile, and the last
 * of all for a partial one.
 */
export const leafToVerify = (tile: Tile, size: number): number =>
  tile.width === TILE_WIDTH ? lastLeafOf(tile) : size - 1;

/**
 * The tile's hashes, as a tree of their own, come to the subtrees that end at a leaf which is known to be good, that of
 * `leafToVerify`. Throws `proof_invalid`: one of the leaves that the tile was put together from is damaged.
 */
export function verifyTile(tile: Tile, bytes: Uint8Array, size: number, good: TreeLeaf): void {
  const last = parseTile(bytes, tile.width).reduce<TreeLeaf | null>(appendLeaf, null);
  const held = last === null ? [] : completeSubtrees(last);
  const treeLevel = tile.level * LEVELS_PER_TILE;
  const below = leftPathLength(size % TILE_WIDTH ** tile.level);
  const expected =
    tile.width === TILE_WIDTH
      ? [subtreeEndingAt(good, treeLevel + LEVELS_PER_TILE)]
      : completeSubtrees(good).slice(below, below + held.length);
  if (equalBytes(concatBytes(...held), concatBytes(...expected))) return;
  throw new DisclosureError("proof_invalid", "a tile does not hold the subtrees of its log", {
    tile: tilePath(tile),
  });
}

/** The hashes in a tile's bytes. Throws `malformed` unless there are `width`. */
export function parseTile(bytes: Uint8Array, width: number): Uint8Array[] {
  if (bytes.length !== width * HASH_BYTES) {
    throw new DisclosureError("malformed", "a tile has another length", { length: bytes.length, width });
  }
  return Array.from({ length: width }, (_, i) => bytes.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES));
}

/** The bytes of a bundle. An entry has 65,535 bytes at most. */
export const formatEntries = (entries: readonly Uint8Array[]): Uint8Array =>
  concatBytes(...entries.flatMap((entry) => [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry]));

/** The entries in a bundle's bytes. Throws `malformed` unless there are `width`, and nothing behind them. */
export function parseEntries(bytes: Uint8Array, width: number): Uint8Array[] {
  const entries: Uint8Array[] = [];
  let offset = 0;
  while (entries.length < width && offset + LENGTH_BYTES <= bytes.length) {
    const start = offset + LENGTH_BYTES;
    const length = (bytes[offset] ?? 0) * 256 + (bytes[offset + 1] ?? 0);
    if (start + length > bytes.length) break;
    entries.push(bytes.subarray(start, start + length));
    offset = start + length;
  }
  if (entries.length !== width || offset !== bytes.length) {
    throw new DisclosureError("malformed", "a bundle does not hold its entries", { width });
  }
  return entries;
}
