// The public log as it is read, each of its files kept in a folder once the walk was verified: whoever gets the folder
// walks the same log.
import { logFilePath, rootPath } from "../../contract/metachain-paths.ts";
import type { PublicLog } from "../history/walk-log.ts";
import type { ExportFolder } from "./export-folder.ts";
import { StagedFiles } from "./staged-files.ts";

export class KeptLog implements PublicLog {
  readonly name: string;
  readonly #log: PublicLog;
  readonly #files: StagedFiles;
  #head: Uint8Array | null = null;

  constructor(log: PublicLog, folder: ExportFolder) {
    this.name = log.name;
    this.#log = log;
    this.#files = new StagedFiles(folder);
  }

  /** One head for the whole run: what is walked under it is what the folder has in the end. */
  async head(): Promise<Uint8Array> {
    this.#head ??= await this.#log.head();
    return this.#head;
  }

  root(index: number): Promise<Uint8Array | null> {
    return this.#files.keep(rootPath(index), () => this.#log.root(index));
  }

  timestamp(index: number, n: number): Promise<Uint8Array | null> {
    return this.#log.timestamp(index, n);
  }

  logFile(path: string): Promise<Uint8Array | null> {
    return this.#files.keep(logFilePath(path), () => this.#log.logFile(path));
  }

  /** Keeps what was read so far: its entries lead to the root. */
  keep(): Promise<void> {
    return this.#files.publish();
  }

  /** Removes what was read and not kept. */
  discard(): Promise<void> {
    return this.#files.discard();
  }
}
