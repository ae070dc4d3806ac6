// The folder that a tenant's history is kept in (docs/history.md). Leaves are written before the heads that cover
// them, so a run that is killed leaves a good history of some earlier time, and the next run goes on from it.
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { HEADS_A_FILE, type HistoryIndex } from "../../../evidence/core/formats/history-folder.ts";
import { bundlesBetween } from "../../../evidence/core/log/leaf-bundles.ts";
import { TILE_WIDTH } from "../../../evidence/core/log/tiles.ts";
import {
  type HeldChain,
  type HistoryFiles,
  headsPath,
  INDEX_FILE,
  leavesPath,
  readChain,
  readIndex,
} from "../../../evidence/reader/history-files.ts";
import { MAX_FILE_BYTES } from "../../../evidence/reader/limits.ts";
import { exists, readBytes } from "../files/read-file.ts";
import { replaceFile } from "../files/write-file.ts";

/** A folder on disk as the port that a history is read through. */
export const filesIn = (folder: string): HistoryFiles => ({
  name: folder,
  read: async (path) => {
    const file = join(folder, path);
    return (await exists(file)) ? readBytes(file, MAX_FILE_BYTES) : null;
  },
  list: (path) => readdir(join(folder, path)).catch(() => []),
});

export class HistoryFolder {
  readonly #path: string;
  readonly #files: HistoryFiles;

  constructor(path: string) {
    this.#path = path;
    this.#files = filesIn(path);
  }

  /** Null for a folder without a history. Throws `malformed`. */
  readIndex(): Promise<HistoryIndex | null> {
    return readIndex(this.#files);
  }

  writeIndex(index: HistoryIndex): Promise<void> {
    return replaceFile(join(this.#path, INDEX_FILE), `${JSON.stringify(index, null, 2)}\n`);
  }

  /** Reads and verifies all that is held of a chain. Throws `malformed`, or `proof_invalid` where it does not hold. */
  readChain(chainId: string): Promise<HeldChain> {
    return readChain(this.#files, chainId);
  }

  /** Writes what a chain grew by since it had `from` receipts: the leaves, and then the heads over them. */
  async writeGrowth({ history, leaves }: HeldChain, from: number, firstHead: number): Promise<void> {
    const { chainId, heads, size } = history;
    for (const place of bundlesBetween(from, size)) {
      const bytes = leaves.get(place.index);
      if (bytes !== null) await replaceFile(join(this.#path, leavesPath(chainId, place)), bytes);
    }
    const start = firstHead - (firstHead % HEADS_A_FILE);
    for (let first = start; first < heads.length; first += HEADS_A_FILE) {
      const listed = JSON.stringify(heads.slice(first, first + HEADS_A_FILE));
      await replaceFile(join(this.#path, headsPath(chainId, first)), `${listed}\n`);
    }
    await this.#removePartial(chainId, from, size);
  }

  /** A partial bundle that a fuller one replaced. A crash before leaves it there, which does no harm. */
  async #removePartial(chainId: string, from: number, size: number): Promise<void> {
    const width = from % TILE_WIDTH;
    if (width === 0 || from === size) return;
    const index = Math.floor(from / TILE_WIDTH);
    await rm(join(this.#path, leavesPath(chainId, { index, width })), { force: true });
  }
}
