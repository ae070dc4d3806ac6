// The checkpoints of the metachain as an audit reads them: that of each seal, the newest one, and a proof where the log
// signed two histories.
import type { Seal } from "../../../evidence/core/formats/metachain.ts";
import type { Fork } from "../../../evidence/core/log/fork.ts";
import { NEWEST_CHECKPOINT, sealCheckpoint } from "../../../evidence/core/log/log-paths.ts";
import { readNoteFile } from "../../../evidence/reader/log-notes.ts";
import type { LogSource } from "../../../evidence/reader/metachain.ts";
import { CheckpointWalk, type WalkedCheckpoints } from "../metachain/checkpoint-walk.ts";
import type { LogKeys } from "../metachain/log-keys.ts";
import { checkNewest, proveFork } from "../metachain/newest-checkpoint.ts";
import { addFaultOnce, type Tally } from "./audit-tally.ts";

const CHECK = "checkpoint";

export class AuditedCheckpoints {
  readonly walk: CheckpointWalk;
  readonly #source: LogSource;
  readonly #keys: LogKeys;
  readonly #tally: Tally;
  /** Null where the log signs nothing, so that no file of its seals is asked for. */
  readonly #newest: string | null;

  private constructor(
    source: LogSource,
    keys: LogKeys,
    walk: CheckpointWalk,
    tally: Tally,
    newest: string | null,
  ) {
    this.#source = source;
    this.#keys = keys;
    this.walk = walk;
    this.#tally = tally;
    this.#newest = newest;
  }

  /** Looks again for checkpoints that an earlier audit missed. Throws `publication_unavailable`. */
  static async open(
    source: LogSource,
    keys: LogKeys,
    progress: WalkedCheckpoints,
    tally: Tally,
  ): Promise<AuditedCheckpoints> {
    const newest = await readNoteFile(source, NEWEST_CHECKPOINT);
    const opened = new AuditedCheckpoints(source, keys, new CheckpointWalk(keys, progress), tally, newest);
    opened.#addFault(null, opened.walk.checkKey());
    for (const [index, sentence] of await opened.walk.checkLacking((at) => opened.read(at)))
      opened.#addFault(index, sentence);
    return opened;
  }

  /** The note of a seal; null where there is none. Throws `publication_unavailable`. */
  read(index: number): Promise<string | null> {
    return this.#newest === null ? Promise.resolve(null) : readNoteFile(this.#source, sealCheckpoint(index));
  }

  async check(seal: Seal, note: string | null): Promise<void> {
    this.#addFault(seal.index, await this.walk.check(seal, note));
  }

  /** Holds the newest checkpoint against the last root. Returns the proof of a fork, if there is one. */
  async finish(last: Seal | null): Promise<Fork | null> {
    if (this.#newest === null) this.#checkGone();
    if (this.#newest === null || last === null) return null;
    const fault = await checkNewest(this.walk, this.#newest, last, this.#source);
    this.#addFault(null, fault);
    if (fault === null) await this.walk.noteNewest(this.#newest, last);
    const { suspect, newest } = this.walk.progress;
    // Only what was verified under a key proves anything to others.
    if (this.#keys.policy === null || (suspect === null && fault === null)) return null;
    const suspects = [suspect, fault === null ? null : this.#newest];
    return proveFork(this.walk, suspects, [newest, this.#newest], this.#source);
  }

  /** The newest checkpoint is replaced, and never taken away. */
  #checkGone(): void {
    const { newest } = this.walk.progress;
    if (newest !== null)
      this.#addFault(null, "the log had a signed checkpoint at the last audit, and has none now");
  }

  #addFault(index: number | null, detail: string | null): void {
    if (detail !== null) addFaultOnce(this.#tally, { index, check: CHECK, detail });
  }
}
