// The log's signed checkpoints as public files: that of each seal, written once, and the newest, which moves.
import { CHECKPOINT_PATH, checkpointPath } from "../../contract/metachain-paths.ts";
import { DisclosureError, isDisclosureError } from "../../evidence/core/errors.ts";
import { type Checkpoint, parseCheckpoint } from "../../evidence/core/log/checkpoint.ts";
import { type NoteKey, parseNote, type SignedNote } from "../../evidence/core/log/note.ts";
import { openCheckpoint } from "../../evidence/core/log/open-checkpoint.ts";
import { policyOfLog } from "../../evidence/core/log/tlog-policy.ts";
import { type PublicFiles, type StoredText, underWay } from "../seals/public-files.ts";

export const NOTE_TYPE = "text/plain; charset=utf-8";

/** A checkpoint that this log has signed. */
export interface OwnCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly note: SignedNote;
}

/** The newest of them, as it is published. */
export interface PublishedCheckpoint extends OwnCheckpoint {
  readonly stored: StoredText;
}

/** The size in the newest checkpoint, whoever has signed it; 0 where there is none, or no checkpoint. */
export async function readPublicSize(files: PublicFiles): Promise<number> {
  const stored = await files.text(CHECKPOINT_PATH);
  try {
    return stored === null ? 0 : parseCheckpoint(parseNote(stored.text).text).size;
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    return 0;
  }
}

export class PublishedCheckpoints {
  readonly #files: PublicFiles;
  readonly #key: NoteKey;

  constructor(files: PublicFiles, key: NoteKey) {
    this.#files = files;
    this.#key = key;
  }

  /** Null where there is none. Throws `publication_conflict` for one that this log has not signed. */
  async newest(): Promise<PublishedCheckpoint | null> {
    const stored = await this.#files.text(CHECKPOINT_PATH);
    return stored === null ? null : { stored, ...(await this.#open(stored.text, CHECKPOINT_PATH)) };
  }

  /** That of a seal, with the cosignatures that came in time; null where there is none. Throws as `newest` does. */
  async ofSeal(index: number): Promise<OwnCheckpoint | null> {
    const path = checkpointPath(index);
    const stored = await this.#files.text(path);
    return stored === null ? null : this.#open(stored.text, path);
  }

  /**
   * Publishes the checkpoint of a seal, unless another run was faster. Returns the one that is published then, whose
   * cosignatures may be others. Throws as `newest` does.
   */
  async publishOfSeal(index: number, note: string, now: Date): Promise<OwnCheckpoint> {
    const path = checkpointPath(index);
    if (await this.#files.putOnce({ path, body: note, type: NOTE_TYPE }, now)) return this.#open(note, path);
    return (await this.ofSeal(index)) ?? Promise.reject(underWay("checkpoint"));
  }

  /** Puts a checkpoint in the place of the newest. False where another run has moved that one meanwhile. */
  move(note: string, from: PublishedCheckpoint | null): Promise<boolean> {
    return this.#files.move({ path: CHECKPOINT_PATH, body: note, type: NOTE_TYPE }, from?.stored ?? null);
  }

  async #open(note: string, path: string): Promise<OwnCheckpoint> {
    try {
      const { checkpoint } = await openCheckpoint(note, policyOfLog(this.#key));
      return { checkpoint, note: parseNote(note) };
    } catch (cause) {
      const message = "a published checkpoint is not signed by this log's key under its origin";
      throw new DisclosureError("publication_conflict", message, { path }, cause);
    }
  }
}
