// Finds the leaves of a chain by their labels. Whoever writes a chain chooses the labels, so nothing here rests on their being
// random: places are sorted by the first bytes of the labels, and the labels themselves are compared.
import { equalBytes } from "../bytes.ts";
import { ENTRY_BYTES, entryLabel } from "./entry.ts";
import type { ReadLeaves } from "./leaf-bundles.ts";

/** Leaves that are read at once. */
const READ_LEAVES = 256;

export class LabelIndex {
  readonly size: number;
  readonly #readLeaves: ReadLeaves;
  /** By place, the first four bytes of the label. */
  readonly #prefixes: Uint32Array;
  /** All places, by these bytes and then by place. */
  readonly #places: Uint32Array;

  constructor(readLeaves: ReadLeaves, size: number) {
    this.size = size;
    this.#readLeaves = readLeaves;
    const prefixes = readPrefixes(readLeaves, size);
    const compare = (a: number, b: number): number => (prefixes[a] ?? 0) - (prefixes[b] ?? 0) || a - b;
    this.#prefixes = prefixes;
    this.#places = Uint32Array.from(prefixes, (_, place) => place).sort(compare);
  }

  /** The places with this label, in order. */
  placesOf(label: Uint8Array): number[] {
    const prefix = prefixOf(label);
    const found: number[] = [];
    for (let at = this.#firstWith(prefix); at < this.size; at++) {
      const place = this.#places[at] ?? 0;
      if (this.#prefixes[place] !== prefix) break;
      if (equalBytes(entryLabel(this.#readLeaves(place, place + 1)), label)) found.push(place);
    }
    return found;
  }

  #firstWith(prefix: number): number {
    let [low, high] = [0, this.size];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#prefixes[this.#places[middle] ?? 0] ?? 0) < prefix) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function readPrefixes(readLeaves: ReadLeaves, size: number): Uint32Array {
  const prefixes = new Uint32Array(size);
  for (let from = 0; from < size; from += READ_LEAVES) {
    const to = Math.min(size, from + READ_LEAVES);
    const leaves = readLeaves(from, to);
    for (let place = from; place < to; place++)
      prefixes[place] = prefixOf(leaves.subarray((place - from) * ENTRY_BYTES));
  }
  return prefixes;
}

const prefixOf = ({ buffer, byteOffset, byteLength }: Uint8Array): number =>
  new DataView(buffer, byteOffset, byteLength).getUint32(0);
