// The log's signatures on their way into a mirror's folder: the checkpoint and the COSE signature of each seal, and the
// newest checkpoint, which moves.
import { CHECKPOINT_PATH, checkpointPath, signedRootPath } from "../../../contract/metachain-paths.ts";
import type { Seal } from "../../../evidence/core/formats/metachain.ts";
import { parseCheckpoint } from "../../../evidence/core/log/checkpoint.ts";
import type { Fork } from "../../../evidence/core/log/fork.ts";
import { NEWEST_CHECKPOINT, sealCheckpoint, sealSignedRoot } from "../../../evidence/core/log/log-paths.ts";
import { parseNote } from "../../../evidence/core/log/note.ts";
import { decodeNote, readNoteFile } from "../../../evidence/reader/log-notes.ts";
import type { LogSource } from "../../../evidence/reader/metachain.ts";
import { CheckpointWalk, type WalkedCheckpoints } from "./checkpoint-walk.ts";
import type { LogKeys } from "./log-keys.ts";
import { type Fetched, invalid, type MirrorFiles } from "./mirror-files.ts";
import type { MirrorFolder } from "./mirror-folder.ts";
import { checkNewest, proveFork } from "./newest-checkpoint.ts";

/** The signatures of one seal, as they were fetched; null where there is none. */
export interface FetchedSignatures {
  readonly checkpoint: Fetched | null;
  readonly signedRoot: Fetched | null;
}

const NONE: FetchedSignatures = { checkpoint: null, signedRoot: null };

export class MirroredCheckpoints {
  readonly #source: LogSource;
  readonly #files: MirrorFiles;
  readonly #keys: LogKeys;
  readonly #walk: CheckpointWalk;
  /** Null where the log signs nothing. */
  readonly #newest: string | null;
  #fork: Fork | null = null;

  private constructor(source: LogSource, files: MirrorFiles, keys: LogKeys, newest: string | null) {
    this.#source = source;
    this.#files = files;
    this.#keys = keys;
    this.#walk = new CheckpointWalk(keys);
    this.#newest = newest;
  }

  /** Throws `proof_invalid` where the log does not show its checkpoint any more. */
  static async open(
    source: LogSource,
    { files, folder }: { readonly files: MirrorFiles; readonly folder: MirrorFolder },
    keys: LogKeys,
  ): Promise<MirroredCheckpoints> {
    const newest = await readNoteFile(source, NEWEST_CHECKPOINT);
    if (newest === null && (await folder.held(CHECKPOINT_PATH)) !== null)
      throw invalid(`${CHECKPOINT_PATH} is in the folder, and no longer published`);
    return new MirroredCheckpoints(source, files, keys, newest);
  }

  get progress(): WalkedCheckpoints {
    return this.#walk.progress;
  }

  /** The proof that the log signed two histories, where one was found. */
  get fork(): Fork | null {
    return this.#fork;
  }

  /** Throws as `MirrorFiles.fetch` does. */
  async fetch(index: number, compare: boolean): Promise<FetchedSignatures> {
    if (this.#newest === null) return NONE;
    const [checkpoint, signedRoot] = await Promise.all([
      this.#files.fetch(checkpointPath(index), compare, () => this.#source.logFile(sealCheckpoint(index))),
      this.#files.fetch(signedRootPath(index), compare, () => this.#source.logFile(sealSignedRoot(index))),
    ]);
    return { checkpoint, signedRoot };
  }

  /** Throws `proof_invalid` for a checkpoint that does not fit its root. */
  async verify(seal: Seal, { checkpoint }: FetchedSignatures): Promise<void> {
    const note = checkpoint && decodeNote(checkpoint.bytes, `the checkpoint of root ${seal.index}`);
    const sentence = await this.#walk.check(seal, note);
    if (sentence === null) return;
    await this.#prove([this.#walk.progress.suspect]);
    throw invalid(`root ${seal.index}: ${sentence}`);
  }

  /** Gives the signatures of a verified seal their names. */
  async publish({ checkpoint, signedRoot }: FetchedSignatures): Promise<void> {
    for (const file of [checkpoint, signedRoot]) if (file !== null) await this.#files.publish(file);
  }

  /**
   * Holds the newest checkpoint against the last root, and keeps it where the folder has the files of its tree, `size`
   * entries. Throws `proof_invalid`.
   */
  async finish(last: Seal | null, size: number, folder: MirrorFolder): Promise<void> {
    if (this.#newest === null || last === null) return;
    const sentence = await checkNewest(this.#walk, this.#newest, last, this.#source);
    if (sentence !== null) {
      await this.#prove([this.#newest]);
      throw invalid(sentence);
    }
    await this.#walk.noteNewest(this.#newest, last);
    const { checkpoint } = await this.#walk.open(this.#newest);
    // A cache may show an older one than the folder has.
    const held = await folder.held(CHECKPOINT_PATH);
    const heldSize =
      held === null ? 0 : parseCheckpoint(parseNote(decodeNote(held, CHECKPOINT_PATH)).text).size;
    const isCovered = heldSize <= checkpoint.size && checkpoint.size <= size;
    if (isCovered) await folder.replace(CHECKPOINT_PATH, this.#newest);
  }

  async #prove(suspects: readonly (string | null)[]): Promise<void> {
    if (this.#keys.policy === null) return;
    const known = [this.#walk.progress.newest, this.#newest];
    this.#fork = await proveFork(this.#walk, suspects, known, this.#source);
  }
}
