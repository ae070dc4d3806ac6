// The files of a mirror on their way into its folder: fetched, compared with what the folder holds, staged where they are
// new, and given their names once they were verified.
import { equalBytes } from "../../../evidence/core/bytes.ts";
import { DisclosureError } from "../../../evidence/core/errors.ts";
import { conflict, type MirrorFolder } from "./mirror-folder.ts";

/** A file as it is in the folder and, if that was asked for, as it is published; staged if it is new. */
export interface Fetched {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly staged: string | null;
}

export class MirrorFiles {
  readonly #folder: MirrorFolder;

  constructor(folder: MirrorFolder) {
    this.#folder = folder;
  }

  /**
   * Null for a file that is neither published nor in the folder. Throws `publication_conflict` where the two differ, and
   * `proof_invalid` for one that is in the folder and no longer published.
   */
  async fetch(
    path: string,
    compare: boolean,
    read: () => Promise<Uint8Array | null>,
  ): Promise<Fetched | null> {
    const held = await this.#folder.held(path);
    if (held !== null && !compare) return { path, bytes: held, staged: null };
    const served = await read();
    checkUnchanged(path, held, served);
    return served && { path, bytes: served, staged: held === null ? await this.#folder.stage(served) : null };
  }

  /** The published bytes, which are not kept. Throws as `fetch` does. */
  async look(path: string, read: () => Promise<Uint8Array | null>): Promise<Uint8Array | null> {
    const served = await read();
    checkUnchanged(path, await this.#folder.held(path), served);
    return served;
  }

  async publish({ path, bytes, staged }: Fetched): Promise<void> {
    if (staged !== null) await this.#folder.publish(staged, path, bytes);
  }
}

function checkUnchanged(path: string, held: Uint8Array | null, served: Uint8Array | null): void {
  if (held === null) return;
  if (served === null) throw invalid(`${path} is in the folder, and no longer published`);
  if (!equalBytes(held, served)) throw conflict(path);
}

export const invalid = (message: string): DisclosureError => new DisclosureError("proof_invalid", message);
