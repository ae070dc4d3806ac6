// The public log as it is read, each of its files kept in a folder on the way: whoever gets the folder walks the same log.
import { logFilePath, rootPath } from "../../contract/metachain-paths.ts";
import type { PublicLog } from "../history/walk-log.ts";
import type { ExportFolder } from "./export-folder.ts";

export class KeptLog implements PublicLog {
  readonly name: string;
  readonly #log: PublicLog;
  readonly #folder: ExportFolder;
  #head: Uint8Array | null = null;

  constructor(log: PublicLog, folder: ExportFolder) {
    this.name = log.name;
    this.#log = log;
    this.#folder = folder;
  }

  /** One head for the whole run: what is walked under it is what the folder has in the end. */
  async head(): Promise<Uint8Array> {
    this.#head ??= await this.#log.head();
    return this.#head;
  }

  root(index: number): Promise<Uint8Array | null> {
    return this.#folder.keep(rootPath(index), () => this.#log.root(index));
  }

  timestamp(index: number, n: number): Promise<Uint8Array | null> {
    return this.#log.timestamp(index, n);
  }

  logFile(path: string): Promise<Uint8Array | null> {
    return this.#folder.keep(logFilePath(path), () => this.#log.logFile(path));
  }
}
