// The leaf hashes of a chain as a reader has them: tiles of level 0, each of 256 hashes but the last.
import { concatBytes, equalBytes } from "../bytes.ts";
import { HASH_BYTES } from "../merkle/hash.ts";
import { TILE_WIDTH } from "./tiles.ts";

const TILE_BYTES = TILE_WIDTH * HASH_BYTES;

export class LeafTiles {
  readonly #tiles: Uint8Array[] = [];

  /** Takes a tile, or a fuller one in its place. */
  set(index: number, tile: Uint8Array): void {
    this.#tiles[index] = tile;
  }

  get(index: number): Uint8Array | null {
    return this.#tiles[index] ?? null;
  }

  /** True if `tile` agrees with its hashes known here, among the first `size` of all: a verified hash never changes. */
  isContinuedBy(index: number, tile: Uint8Array, size: number): boolean {
    const known = this.read(index * TILE_WIDTH, Math.min(size, (index + 1) * TILE_WIDTH));
    return equalBytes(tile.subarray(0, known.length), known);
  }

  /** The hashes `from` up to `to`, fewer where some are not there. */
  readonly read = (from: number, to: number): Uint8Array => {
    const parts: Uint8Array[] = [];
    for (let index = Math.floor(from / TILE_WIDTH); index * TILE_WIDTH < to; index++) {
      const start = index * TILE_BYTES;
      const tile = this.#tiles[index] ?? new Uint8Array();
      parts.push(tile.subarray(Math.max(0, from * HASH_BYTES - start), to * HASH_BYTES - start));
    }
    const [only = new Uint8Array(), ...others] = parts;
    return others.length === 0 ? only : concatBytes(...parts);
  };
}

/** The tiles of level 0 under a tree of `size` leaves from the first that one of `previousSize` had not in full. */
export function* leafTilesBetween(
  previousSize: number,
  size: number,
): Generator<{ index: number; width: number }> {
  for (let index = Math.floor(previousSize / TILE_WIDTH); index * TILE_WIDTH < size; index++) {
    yield { index, width: Math.min(TILE_WIDTH, size - index * TILE_WIDTH) };
  }
}
