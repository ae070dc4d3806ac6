// The folder that a mirror is copied into. A root, a later token over it, a file of the log, or a wording layer is staged,
// then verified, then linked to its name in one step that fails if the name is taken; the head is replaced last. So a run
// that is killed leaves a good mirror of some earlier time, and the next run goes on from it.
import { link, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { HEAD_FILE, ROOTS_FOLDER } from "../../../contract/metachain-paths.ts";
import { equalBytes } from "../../../evidence/core/bytes.ts";
import { DisclosureError } from "../../../evidence/core/errors.ts";
import { StagingFolder } from "../files/staging-folder.ts";
import { replaceFile, syncFolder } from "../files/write-file.ts";
import { FolderMetachain } from "./folder.ts";

export class MirrorFolder {
  readonly #path: string;
  readonly #files: FolderMetachain;
  readonly #staging: StagingFolder;
  /** The folders with names that are not durable yet. */
  readonly #touched = new Set<string>();

  constructor(path: string) {
    this.#path = path;
    this.#files = new FolderMetachain(path);
    this.#staging = new StagingFolder(path);
  }

  /** Makes the folder, and removes files that a killed run left. */
  async prepare(): Promise<void> {
    await mkdir(join(this.#path, ROOTS_FOLDER), { recursive: true });
    await this.#staging.clear();
  }

  head(): Promise<Uint8Array | null> {
    return this.#files.read(HEAD_FILE);
  }

  /** The bytes under a path of the layout; null where there are none yet. */
  held(path: string): Promise<Uint8Array | null> {
    return this.#files.read(path);
  }

  /** The names in a folder of the layout; none where there is no such folder yet. */
  async names(folder: string): Promise<string[]> {
    try {
      return await readdir(join(this.#path, folder));
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      return [];
    }
  }

  /** The largest index of a root that is here, or -1. */
  async lastIndex(): Promise<number> {
    const names = await this.names(ROOTS_FOLDER);
    return names.reduce((last, name) => (/^\d{1,15}$/.test(name) ? Math.max(last, Number(name)) : last), -1);
  }

  /** Writes bytes to disk that are not verified yet. Returns their path. */
  stage(bytes: Uint8Array): Promise<string> {
    return this.#staging.stage(bytes);
  }

  /** Gives a staged file its name. Throws `publication_conflict` where another file has it. */
  async publish(staged: string, path: string, bytes: Uint8Array): Promise<void> {
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) this.#touched.add(folder);
    try {
      await linkInto(staged, join(this.#path, path));
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      const held = await this.held(path);
      if (held === null || !equalBytes(held, bytes)) throw conflict(path);
    }
    await rm(staged);
  }

  /** Writes a file that moves, over the one that is there. The files that it speaks of are made durable before it. */
  async replace(path: string, content: string | Uint8Array): Promise<void> {
    for (const folder of this.#touched) await syncFolder(join(this.#path, folder));
    this.#touched.clear();
    await replaceFile(join(this.#path, path), content);
  }

  async publishHead(bytes: Uint8Array): Promise<void> {
    await this.replace(HEAD_FILE, bytes);
    await this.#staging.remove();
  }
}

/** The folder of a root's later tokens, or of a tile, is made for the first of them. */
async function linkInto(staged: string, target: string): Promise<void> {
  try {
    await link(staged, target);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    await mkdir(dirname(target), { recursive: true });
    await link(staged, target);
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

export const conflict = (path: string): DisclosureError =>
  new DisclosureError("publication_conflict", `${path} in the folder differs from the one that is published`);
