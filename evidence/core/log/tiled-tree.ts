// A tree read from the tiles of a log (C2SP tlog-tiles): its roots, and the paths of RFC 9162 sections 2.1.3.1 and 2.1.4.1.
// The tiles are not believed: whoever asks compares a root, or verifies the path.
import { DisclosureError } from "../errors.ts";
import { hashNode } from "../merkle/hash.ts";
import { LEVELS_PER_TILE, parseTile, TILE_WIDTH, type Tile, tilePath } from "./tiles.ts";

/** Reads a file by its path below the log's prefix; null where there is none. */
export type ReadTile = (path: string) => Promise<Uint8Array | null>;

/** Leaves `start` up to but not including `end`. */
type Range = readonly [start: number, end: number];

export class TiledTree {
  readonly size: number;
  readonly #read: ReadTile;
  readonly #tiles = new Map<string, Promise<readonly Uint8Array[]>>();

  constructor(size: number, read: ReadTile) {
    this.size = size;
    this.#read = read;
  }

  /** The root over the first leaves. Throws `publication_unavailable` for a tile that is missing, `malformed` for none. */
  async root(size = this.size): Promise<Uint8Array> {
    if (size < 1 || size > this.size)
      throw new DisclosureError("malformed", "the tree has no root of this size", { size });
    return this.#hash([0, size]);
  }

  /** The audit path of a leaf, leaf side first. Throws as `root`. */
  async inclusionPath(leafIndex: number): Promise<Uint8Array[]> {
    if (leafIndex < 0 || leafIndex >= this.size)
      throw new DisclosureError("malformed", "the tree has no leaf of this index", { leafIndex });
    return this.#hashes(rangesOfInclusion(leafIndex, [0, this.size]));
  }

  /** The path from the root over the first leaves to that of all. Throws as `root`. */
  async consistencyPath(from: number): Promise<Uint8Array[]> {
    return this.#hashes(rangesOfPath(from, [0, this.size], true));
  }

  async #hashes(ranges: readonly Range[]): Promise<Uint8Array[]> {
    const hashes: Uint8Array[] = [];
    for (const range of ranges) hashes.push(await this.#hash(range));
    return hashes;
  }

  async #hash([start, end]: Range): Promise<Uint8Array> {
    const leaves = end - start;
    // The logarithm alone would take 2^50 - 1 for a power of two.
    const level = Math.round(Math.log2(leaves));
    if (2 ** level === leaves) return this.#complete(level, start / leaves);
    const middle = start + largestPowerBelow(leaves);
    return hashNode(await this.#hash([start, middle]), await this.#hash([middle, end]));
  }

  /** The root of a complete subtree, by its level from the leaves up and its place on that level. */
  async #complete(level: number, place: number): Promise<Uint8Array> {
    const tileLevel = Math.floor(level / LEVELS_PER_TILE);
    const width = 2 ** (level % LEVELS_PER_TILE);
    const first = place * width;
    const hashes = await this.#tile(tileLevel, Math.floor(first / TILE_WIDTH));
    return fold(hashes.slice(first % TILE_WIDTH, (first % TILE_WIDTH) + width));
  }

  #tile(level: number, index: number): Promise<readonly Uint8Array[]> {
    const hashes = Math.floor(this.size / TILE_WIDTH ** level);
    const tile = { level, index, width: Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH) };
    const path = tilePath(tile);
    const known = this.#tiles.get(path) ?? this.#readTile(path, tile);
    this.#tiles.set(path, known);
    return known;
  }

  async #readTile(path: string, { width }: Tile): Promise<readonly Uint8Array[]> {
    const bytes = await this.#read(path);
    if (bytes === null) throw new DisclosureError("publication_unavailable", `${path} of the log is missing`);
    return parseTile(bytes, width);
  }
}

/** PATH of RFC 9162 section 2.1.3.1: the ranges whose hashes are the path, in its order. */
function rangesOfInclusion(leafIndex: number, [start, end]: Range): Range[] {
  if (end - start === 1) return [];
  const middle = start + largestPowerBelow(end - start);
  return leafIndex < middle
    ? [...rangesOfInclusion(leafIndex, [start, middle]), [middle, end]]
    : [...rangesOfInclusion(leafIndex, [middle, end]), [start, middle]];
}

/** SUBPROOF of RFC 9162 section 2.1.4.1: the ranges whose hashes are the path, in its order. */
function rangesOfPath(size: number, [start, end]: Range, isWhole: boolean): Range[] {
  const leaves = end - start;
  if (size === leaves) return isWhole ? [] : [[start, end]];
  const left = largestPowerBelow(leaves);
  const middle = start + left;
  if (size <= left) return [...rangesOfPath(size, [start, middle], isWhole), [middle, end]];
  return [...rangesOfPath(size - left, [middle, end], false), [start, middle]];
}

function largestPowerBelow(leaves: number): number {
  let power = 1;
  while (power * 2 < leaves) power *= 2;
  return power;
}

/** The root of a complete tree over 1, 2, 4 … hashes. */
function fold(hashes: readonly Uint8Array[]): Uint8Array {
  const [first, second] = hashes;
  if (first === undefined) throw new DisclosureError("malformed", "a tile lacks a hash");
  if (second === undefined) return first;
  const middle = hashes.length / 2;
  return hashNode(fold(hashes.slice(0, middle)), fold(hashes.slice(middle)));
}
