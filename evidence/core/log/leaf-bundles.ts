// The leaves of a chain as a reader has them: bundles of 256 entries each, but the last, of 64 bytes and without lengths.
import { concatBytes, equalBytes } from "../bytes.ts";
import { DisclosureError } from "../errors.ts";
import { ENTRY_BYTES } from "./entry.ts";
import { type EntryBundle, TILE_WIDTH } from "./tiles.ts";

const BUNDLE_BYTES = TILE_WIDTH * ENTRY_BYTES;

/** The leaves `from` up to but not including `to`, 64 bytes each, one behind the other. */
export type ReadLeaves = (from: number, to: number) => Uint8Array;

export class LeafBundles {
  readonly #bundles: Uint8Array[] = [];

  /** Takes a bundle, or a fuller one in its place. */
  set(index: number, bundle: Uint8Array): void {
    this.#bundles[index] = bundle;
  }

  get(index: number): Uint8Array | null {
    return this.#bundles[index] ?? null;
  }

  /** True if `bundle` agrees with its leaves known here, among the first `size` of all: a verified leaf never changes. */
  isContinuedBy(index: number, bundle: Uint8Array, size: number): boolean {
    const known = this.read(index * TILE_WIDTH, Math.min(size, (index + 1) * TILE_WIDTH));
    return equalBytes(bundle.subarray(0, known.length), known);
  }

  /** The leaves `from` up to `to`, fewer where some are not there. */
  readonly read: ReadLeaves = (from, to) => {
    const parts: Uint8Array[] = [];
    for (let index = Math.floor(from / TILE_WIDTH); index * TILE_WIDTH < to; index++) {
      const start = index * BUNDLE_BYTES;
      const bundle = this.#bundles[index] ?? new Uint8Array();
      parts.push(bundle.subarray(Math.max(0, from * ENTRY_BYTES - start), to * ENTRY_BYTES - start));
    }
    const [only = new Uint8Array(), ...others] = parts;
    return others.length === 0 ? only : concatBytes(...parts);
  };
}

/** The bundles under a tree of `size` leaves from the first that one of `previousSize` had not in full. */
export function* bundlesBetween(previousSize: number, size: number): Generator<EntryBundle> {
  for (let index = Math.floor(previousSize / TILE_WIDTH); index * TILE_WIDTH < size; index++) {
    yield { index, width: Math.min(TILE_WIDTH, size - index * TILE_WIDTH) };
  }
}

/** Throws `malformed` unless the bytes are those of as many leaves. */
export function requireLeaves(bytes: Uint8Array, width: number): void {
  if (bytes.length === width * ENTRY_BYTES) return;
  throw new DisclosureError("malformed", "a bundle of leaves has another length", {
    length: bytes.length,
    width,
  });
}
