// Walks a log's entries from the first to the last, and recomputes all that is published over them: each leaf, each hash
// tile, the root at every size. It holds one tile a level, and the labels.
import { concatBytes } from "../bytes.ts";
import { DisclosureError } from "../errors.ts";
import { rootAt, sizeAt, subtreeEndingAt, type TreeLeaf } from "../merkle/merkle-tree.ts";
import { appendEntry, entryLabel, LABEL_BYTES } from "./entry.ts";
import { LabelSet } from "./label-set.ts";
import { LEVELS_PER_TILE, TILE_WIDTH } from "./tiles.ts";

/** A walk at the end of a tile of level 0, from where another can go on: all but the labels, which are many. */
export interface WalkState {
  /** The last leaf; null at the beginning. */
  readonly leaf: TreeLeaf | null;
  /** The hashes of the tiles that are not full yet, from level 1 up. */
  readonly upper: readonly (readonly Uint8Array[])[];
}

export const WALK_BEGINNING: WalkState = { leaf: null, upper: [] };

export class LogWalk {
  readonly #labels: LabelSet;
  /** The newest hashes of each level, up to those of a full tile. */
  readonly #levels: Uint8Array[][];
  #leaf: TreeLeaf | null;

  /** `labels` are those of the entries under `state`. Throws `malformed` where the two don't fit. */
  constructor(seed: Uint32Array, state: WalkState = WALK_BEGINNING, labels: Uint8Array = new Uint8Array()) {
    this.#leaf = state.leaf;
    this.#levels = [[], ...state.upper.map((hashes) => [...hashes])];
    this.#labels = new LabelSet(seed, labels);
    if (this.#labels.size !== this.size || this.size % TILE_WIDTH !== 0) {
      throw new DisclosureError(
        "malformed",
        "a walk goes on at the end of a tile, with the labels up to there",
        {
          size: this.size,
          labels: this.#labels.size,
        },
      );
    }
  }

  /** How many entries were walked. */
  get size(): number {
    return sizeAt(this.#leaf);
  }

  /** The root over all entries so far; there is none before the first. */
  get root(): Uint8Array | null {
    return this.#leaf === null ? null : rootAt(this.#leaf);
  }

  /**
   * Adds the next entry. Returns the place of an earlier one with the same label, or null, as it must be. Throws
   * `proof_invalid` for what is no entry.
   */
  add(entry: Uint8Array): number | null {
    const leaf = appendEntry(this.#leaf, entry);
    this.#leaf = leaf;
    for (let level = 0, under = 1; this.size % under === 0; level++, under *= TILE_WIDTH) {
      this.#push(level, subtreeEndingAt(leaf, level * LEVELS_PER_TILE));
    }
    return this.#labels.add(entryLabel(entry));
  }

  /** The bytes of the last tile of this level, as the entries make it. */
  tile(level: number): Uint8Array {
    return concatBytes(...(this.#levels[level] ?? []));
  }

  /** Where another walk can go on; only at the end of a tile of level 0. */
  get state(): WalkState {
    const upper = this.#levels.slice(1).map((hashes) => (hashes.length === TILE_WIDTH ? [] : [...hashes]));
    return { leaf: this.#leaf, upper };
  }

  /** The labels of the entries from this place up to `end`. */
  labels(from: number, end: number): Uint8Array {
    return this.#labels.from(from).subarray(0, (end - from) * LABEL_BYTES);
  }

  #push(level: number, hash: Uint8Array): void {
    const hashes = this.#levels[level];
    if (hashes === undefined) this.#levels.push([hash]);
    else if (hashes.length === TILE_WIDTH) hashes.splice(0, TILE_WIDTH, hash);
    else hashes.push(hash);
  }
}
