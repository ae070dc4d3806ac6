// A folder of files that are not verified yet, beside the files that are. They lie there under names that nobody reads: what
// a wrong host answered once must not be taken for the log by a later run.
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { DAY_MS } from "../../../contract/time.ts";
import { writeDurably } from "./write-file.ts";

const NAME = ".incoming";
/** A walk over the log takes minutes. An older file is left from a run that was killed. */
const STALE_MS = DAY_MS;

export class StagingFolder {
  readonly #path: string;

  constructor(parent: string) {
    this.#path = join(parent, NAME);
  }

  /** Writes bytes to disk, and returns the path of their file, which the caller moves or removes. */
  async stage(bytes: Uint8Array): Promise<string> {
    // Another run removes the folder when it ends.
    await mkdir(this.#path, { recursive: true });
    const staged = join(this.#path, randomUUID());
    await writeDurably(staged, bytes);
    return staged;
  }

  /** Removes what a killed run left. */
  async clear(): Promise<void> {
    for (const name of await readdir(this.#path).catch(() => [])) {
      const file = join(this.#path, name);
      // Another run may have moved it meanwhile.
      const found = await stat(file).catch(() => null);
      if (found !== null && Date.now() - found.mtimeMs > STALE_MS) await rm(file, { force: true });
    }
  }

  /** Removes the folder, unless another run is still staging. */
  async remove(): Promise<void> {
    await rmdir(this.#path).catch(() => {});
  }
}
