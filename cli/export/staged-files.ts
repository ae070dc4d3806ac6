// Files of an export that are not verified yet. They lie in a folder beside, under names that nobody reads, until they get
// their own: what a wrong host answered once must not be taken for the log by a later run.
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DAY_MS } from "../../contract/time.ts";
import { MAX_FILE_BYTES } from "../../reader/limits.ts";
import { readBytes } from "../files/read-file.ts";
import { syncFolder, writeDurably } from "../files/write-file.ts";
import type { ExportFolder } from "./export-folder.ts";

const STAGING_FOLDER = ".incoming";
/** A walk over the log takes minutes. An older file is left from a run that was killed. */
const STALE_MS = DAY_MS;

export class StagedFiles {
  readonly #folder: ExportFolder;
  /** The staged files by the paths that they are to have. */
  readonly #staged = new Map<string, string>();

  constructor(folder: ExportFolder) {
    this.#folder = folder;
  }

  /** A file of the folder or, where it has none, one that is fetched and staged. Null where nothing is published. */
  async keep(path: string, fetch: () => Promise<Uint8Array | null>): Promise<Uint8Array | null> {
    const staged = this.#staged.get(path);
    if (staged !== undefined) return readBytes(staged, MAX_FILE_BYTES);
    const held = await this.#folder.read(path);
    if (held !== null) return held;
    const bytes = await fetch();
    if (bytes !== null) this.#staged.set(path, await this.#stage(bytes));
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
    for (const name of await readdir(this.#stagingPath).catch(() => [])) {
      const file = join(this.#stagingPath, name);
      const found = await stat(file).catch(() => null);
      if (found !== null && Date.now() - found.mtimeMs > STALE_MS) await rm(file, { force: true });
    }
    // Another run may still be staging.
    await rmdir(this.#stagingPath).catch(() => {});
  }

  get #stagingPath(): string {
    return join(this.#folder.path, STAGING_FOLDER);
  }

  async #stage(bytes: Uint8Array): Promise<string> {
    await mkdir(this.#stagingPath, { recursive: true });
    const staged = join(this.#stagingPath, randomUUID());
    await writeDurably(staged, bytes);
    return staged;
  }
}
