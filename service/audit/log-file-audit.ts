// Verifies the published files of the log: each bundle and tile of the newest tree is what the table's entries give.
// The entries come page by page, as the audit of the metachain walks them, so memory does not grow with the log.
import { concatBytes, equalBytes } from "../../evidence/core/bytes.ts";
import { chainHeadEntry } from "../../evidence/core/formats/metachain.ts";
import { entriesPath, formatEntries, TILE_WIDTH, tilePath } from "../../evidence/core/log/tiles.ts";
import { appendLeaf, rootAt, type TreeLeaf } from "../../evidence/core/merkle/merkle-tree.ts";
import type { LogEntry } from "../ledger/log.ts";
import { readChainHead } from "../seals/metachain-entry.ts";
import type { PublishedRoots } from "../seals/published-roots.ts";

/** The entries of one bundle and tile: a page of the walk. Null: one of them is damaged, which is a fault already. */
export type BundleEntries = readonly LogEntry[] | null;

export interface LogFileAudit {
  readonly roots: PublishedRoots;
  /** All files of the tree of this size count as published. */
  readonly size: number;
  readonly onFile: () => void;
  /** `leafIndex` is the first that the file covers. */
  readonly onFault: (leafIndex: number, detail: string) => void;
}

export class LogFileCheck {
  readonly #audit: LogFileAudit;
  #next = 0;
  /** The hashes of the tile that is not full yet, by level; null for what can't be known after a damaged entry. */
  readonly #open: (Uint8Array | null)[][] = [];
  /** The tiles that are full, by level. */
  readonly #full: number[] = [];

  constructor(audit: LogFileAudit) {
    this.#audit = audit;
  }

  /** Takes the entries of the next places, 256 or, at the end of the log, fewer. */
  async add(page: BundleEntries, places: number): Promise<void> {
    const width = Math.min(places, this.#audit.size - this.#next);
    if (width <= 0) return;
    const entries = page?.slice(0, width) ?? null;
    await this.#compareBundle(entries, width);
    const hashes = entries?.map(({ leaf }) => leaf.leafHash) ?? Array.from({ length: width }, () => null);
    for (const hash of hashes) await this.#push(0, hash);
    this.#next += width;
  }

  /** The partial tiles. To be called after the last entry. */
  async end(): Promise<void> {
    if (this.#next < this.#audit.size)
      this.#audit.onFault(this.#next, `files of ${this.#audit.size} entries are published`);
    for (const level of this.#open.keys()) await this.#compareTile(level);
  }

  async #push(level: number, hash: Uint8Array | null): Promise<void> {
    const hashes = this.#hashesOf(level);
    hashes.push(hash);
    if (hashes.length < TILE_WIDTH) return;
    await this.#compareTile(level);
    this.#full[level] = this.#tileIndex(level) + 1;
    this.#open[level] = [];
    await this.#push(level + 1, rootOf(hashes));
  }

  #hashesOf(level: number): (Uint8Array | null)[] {
    const hashes = this.#open[level] ?? [];
    this.#open[level] = hashes;
    return hashes;
  }

  #tileIndex(level: number): number {
    return this.#full[level] ?? 0;
  }

  async #compareBundle(entries: BundleEntries, width: number): Promise<void> {
    if (entries === null) return;
    const bytes = formatEntries(entries.map((entry) => chainHeadEntry(readChainHead(entry))));
    await this.#compare(entriesPath({ index: this.#next / TILE_WIDTH, width }), bytes, this.#next);
  }

  async #compareTile(level: number): Promise<void> {
    const hashes = this.#hashesOf(level);
    const [index, width] = [this.#tileIndex(level), hashes.length];
    if (width === 0 || !areKnown(hashes)) return;
    const first = index * TILE_WIDTH ** (level + 1);
    await this.#compare(tilePath({ level, index, width }), concatBytes(...hashes), first);
  }

  async #compare(path: string, bytes: Uint8Array, first: number): Promise<void> {
    const published = await this.#audit.roots.logFile(path);
    this.#audit.onFile();
    if (published === null) this.#audit.onFault(first, `${path} is not published`);
    else if (!equalBytes(published, bytes))
      this.#audit.onFault(first, `${path} is not what the table's entries give`);
  }
}

const areKnown = (hashes: readonly (Uint8Array | null)[]): hashes is readonly Uint8Array[] =>
  !hashes.includes(null);

/** The root over the hashes of a full tile: one hash of the level above. */
function rootOf(hashes: readonly (Uint8Array | null)[]): Uint8Array | null {
  if (!areKnown(hashes)) return null;
  const last = hashes.reduce<TreeLeaf | null>(appendLeaf, null);
  return last === null ? null : rootAt(last);
}
