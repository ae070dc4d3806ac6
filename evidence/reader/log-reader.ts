// Reads the files of a log in order, ahead of the walk that needs them, and verifies each: entries by the roots that they
// lead to, which the caller compares, tiles by the entries.
import { equalBytes } from "../core/bytes.ts";
import { DisclosureError, isDisclosureError } from "../core/errors.ts";
import { LogWalk, WALK_BEGINNING, type WalkState } from "../core/log/log-walk.ts";
import {
  type EntryBundle,
  edgeTiles,
  entriesPath,
  parseEntries,
  TILE_WIDTH,
  type Tile,
  tilePath,
  tilesBetween,
} from "../core/log/tiles.ts";
import { inBundles, type ReadFile } from "./log-bundles.ts";

/** How far a walk has come, as another can go on with it: the state at the end of a tile, and the labels up to there. */
export interface Walked {
  readonly state: WalkState;
  readonly labels: Uint8Array;
}

export interface LogReaderOptions {
  readonly read: ReadFile;
  /** The size of the tree whose files are read. */
  readonly end: number;
  /** SEED_WORDS random words, which keep a log from choosing labels that are slow to look up. */
  readonly seed: Uint32Array;
  readonly walked?: Walked;
  /** Called for an entry whose label an earlier one has. */
  readonly onDouble: (earlier: number, later: number) => void;
}

/** A bundle and the tiles to be verified once its entries were walked. */
interface BundleStep {
  readonly bundle: EntryBundle;
  readonly entries: readonly Uint8Array[];
  readonly tiles: readonly (readonly [tile: Tile, bytes: Uint8Array])[];
}

export class LogReader {
  readonly end: number;
  readonly #read: ReadFile;
  readonly #onDouble: LogReaderOptions["onDouble"];
  readonly #walk: LogWalk;
  readonly #steps: AsyncGenerator<BundleStep>;
  #step: BundleStep | null = null;
  #place = 0;
  #state: WalkState;
  #stateSize: number;
  #walkedPaths: string[] = [];

  constructor({ read, end, seed, walked, onDouble }: LogReaderOptions) {
    this.end = end;
    this.#read = read;
    this.#onDouble = onDouble;
    this.#state = walked?.state ?? WALK_BEGINNING;
    this.#walk = new LogWalk(seed, this.#state, walked?.labels);
    this.#stateSize = this.#walk.size;
    this.#steps = inBundles(this.#walk.size, end, (bundle) => this.#readStep(bundle));
  }

  /** How many entries were walked. */
  get size(): number {
    return this.#walk.size;
  }

  /** The end of the last tile that was walked, from where another reader can go on. */
  get resumable(): WalkState {
    return this.#state;
  }

  /** The labels of the entries from `from` to the end of the last tile. */
  labelsFrom(from: number): Uint8Array {
    return this.#walk.labels(from, this.#stateSize);
  }

  /** The paths of the files that were verified against the entries walked so far, each once. */
  takeWalked(): string[] {
    return this.#walkedPaths.splice(0);
  }

  /**
   * Walks on until `size` entries were walked, `end` at most, and returns the root over them. Throws `proof_invalid` for
   * a file that is missing, malformed, or another than the entries make it; the walk ends there.
   */
  async rootAt(size: number): Promise<Uint8Array | null> {
    while (this.#walk.size < size) {
      this.#step ??= await this.#nextStep();
      const entry = this.#step.entries[this.#place++];
      if (entry === undefined) throw invalid(entriesPath(this.#step.bundle), "has too few entries");
      this.#add(entry);
      if (this.#place === this.#step.entries.length) this.#finish(this.#step);
    }
    return this.#walk.size === size ? this.#walk.root : null;
  }

  async #nextStep(): Promise<BundleStep> {
    const { value, done } = await this.#steps.next();
    if (done === true) throw new DisclosureError("proof_invalid", "the log's files end before the root");
    this.#place = 0;
    return value;
  }

  #add(entry: Uint8Array): void {
    const place = this.#walk.size;
    const earlier = this.#walk.add(entry);
    if (earlier !== null) this.#onDouble(earlier, place);
  }

  /** All entries of a bundle were walked: the tiles that end here are known now. */
  #finish({ bundle, tiles }: BundleStep): void {
    for (const [tile, bytes] of tiles) {
      if (!equalBytes(this.#walk.tile(tile.level), bytes)) {
        throw invalid(tilePath(tile), "is not what the entries make it");
      }
    }
    this.#walkedPaths.push(entriesPath(bundle), ...tiles.map(([tile]) => tilePath(tile)));
    this.#step = null;
    if (bundle.width < TILE_WIDTH) return;
    this.#state = this.#walk.state;
    this.#stateSize = this.#walk.size;
  }

  /** A bundle with the tiles that end where it does. */
  async #readStep(bundle: EntryBundle): Promise<BundleStep> {
    const from = bundle.index * TILE_WIDTH;
    const size = from + bundle.width;
    const tiles = tilesBetween(from, size).filter(({ width }) => width === TILE_WIDTH);
    // Upper tiles that are not full belong to the size of the whole tree alone.
    if (size === this.end) tiles.push(...edgeTiles(size).filter(({ width }) => width < TILE_WIDTH));
    const path = entriesPath(bundle);
    const [entries, ...hashes] = await Promise.all([path, ...tiles.map(tilePath)].map(this.#read));
    // The first file that is missing is named, whichever answer came first.
    return {
      bundle,
      entries: naming(path, () => parseEntries(published(path, entries), bundle.width)),
      tiles: tiles.map((tile, i) => [tile, published(tilePath(tile), hashes[i])] as const),
    };
  }
}

function published(path: string, bytes: Uint8Array | null | undefined): Uint8Array {
  if (bytes === null || bytes === undefined) throw invalid(path, "is missing");
  return bytes;
}

function naming<T>(path: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!isDisclosureError(error, "malformed")) throw error;
    throw invalid(path, `can't be read: ${error.message}`);
  }
}

const invalid = (path: string, what: string): DisclosureError =>
  new DisclosureError("proof_invalid", `${path} ${what}`, { path });
