// The public log as it is read, each of its files kept in a folder once the walk was verified: whoever gets the folder
// walks the same log. Until then the files that the folder lacks are staged.
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { logFilePath, rootPath } from "../../../contract/metachain-paths.ts";
import { MAX_FILE_BYTES } from "../../../evidence/reader/limits.ts";
import { readBytes } from "../files/read-file.ts";
import { StagingFolder } from "../files/staging-folder.ts";
import { syncFolder } from "../files/write-file.ts";
import type { PublicLog } from "../history/walk-log.ts";
import type { ExportFolder } from "./export-folder.ts";

export class KeptLog implements PublicLog {
  readonly name: string;
  readonly #log: PublicLog;
  readonly #folder: ExportFolder;
  readonly #staging: StagingFolder;
  /** The staged files by the paths that they are to have. */
  readonly #staged = new Map<string, string>();
  #head: Uint8Array | null = null;

  constructor(log: PublicLog, folder: ExportFolder) {
    this.name = log.name;
    this.#log = log;
    this.#folder = folder;
    this.#staging = new StagingFolder(folder.path);
  }

  /** One head for the whole run: what is walked under it is what the folder has in the end. */
  async head(): Promise<Uint8Array> {
    this.#head ??= await this.#log.head();
    return this.#head;
  }

  root(index: number): Promise<Uint8Array | null> {
    return this.#read(rootPath(index), () => this.#log.root(index));
  }

  timestamp(index: number, n: number): Promise<Uint8Array | null> {
    return this.#log.timestamp(index, n);
  }

  logFile(path: string): Promise<Uint8Array | null> {
    return this.#read(logFilePath(path), () => this.#log.logFile(path));
  }

  /** A file of the folder or, where it has none, one that is fetched and staged. Null where nothing is published. */
  async #read(path: string, fetch: () => Promise<Uint8Array | null>): Promise<Uint8Array | null> {
    const staged = this.#staged.get(path);
    if (staged !== undefined) return readBytes(staged, MAX_FILE_BYTES);
    const held = await this.#folder.read(path);
    if (held !== null) return held;
    const bytes = await fetch();
    if (bytes !== null) this.#staged.set(path, await this.#staging.stage(bytes));
    return bytes;
  }

  /**
   * Keeps what was read so far, whose entries lead to the root: the staged files get their names. A crash on the way leaves
   * some with theirs, and the next run fetches the others.
   */
  async keep(): Promise<void> {
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

  /** Removes what was read and not kept, and what a killed run left. */
  async discard(): Promise<void> {
    for (const staged of this.#staged.values()) await rm(staged, { force: true });
    this.#staged.clear();
    await this.#staging.clear();
    await this.#staging.remove();
  }
}
