// Files of an export that are not verified yet: each is staged until it gets its name.
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MAX_FILE_BYTES } from "../../reader/limits.ts";
import { readBytes } from "../files/read-file.ts";
import { StagingFolder } from "../files/staging-folder.ts";
import { syncFolder } from "../files/write-file.ts";
import type { ExportFolder } from "./export-folder.ts";

export class StagedFiles {
  readonly #folder: ExportFolder;
  readonly #staging: StagingFolder;
  /** The staged files by the paths that they are to have. */
  readonly #staged = new Map<string, string>();

  constructor(folder: ExportFolder) {
    this.#folder = folder;
    this.#staging = new StagingFolder(folder.path);
  }

  /** A file of the folder or, where it has none, one that is fetched and staged. Null where nothing is published. */
  async keep(path: string, fetch: () => Promise<Uint8Array | null>): Promise<Uint8Array | null> {
    const staged = this.#staged.get(path);
    if (staged !== undefined) return readBytes(staged, MAX_FILE_BYTES);
    const held = await this.#folder.read(path);
    if (held !== null) return held;
    const bytes = await fetch();
    if (bytes !== null) this.#staged.set(path, await this.#staging.stage(bytes));
    return bytes;
  }

  /** Gives the staged files their names. A crash on the way leaves some with theirs, and the next run fetches the others. */
  async publish(): Promise<void> {
    const folders = new Set<string>();
    for (const [path, staged] of this.#staged) {
      const file = join(this.#folder.path, path);
      await mkdir(dirname(file), { recursive: true });
      await rename(staged, file);
      folders.add(dirname(file));
      this.#staged.delete(path);
    }
    for (const folder of folders) await syncFolder(folder);
  }

  /** Removes what was not published, and what a killed run left. */
  async discard(): Promise<void> {
    for (const staged of this.#staged.values()) await rm(staged, { force: true });
    this.#staged.clear();
    await this.#staging.clear();
    await this.#staging.remove();
  }
}
