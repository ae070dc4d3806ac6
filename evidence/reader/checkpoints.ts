// The signed checkpoints of a log under the policy of its reader: each is taken from the evidence, or else from the log's
// own files, and read once however many receipts lead to it.
import { isDisclosureError } from "../core/errors.ts";
import { NEWEST_CHECKPOINT, sealCheckpoint } from "../core/log/log-paths.ts";
import type { OpenedCheckpoint } from "../core/log/open-checkpoint.ts";
import { TiledTree } from "../core/log/tiled-tree.ts";
import type { TlogPolicy } from "../core/log/tlog-policy.ts";
import { type Check, type Finding, runSteps, unchecked } from "../core/verify/check.ts";
import {
  type CheckpointFinding,
  type ClaimedTree,
  checkCheckpoint,
  checkLaterCheckpoint,
} from "../core/verify/verify-checkpoint.ts";
import { readNoteFile } from "./log-notes.ts";
import type { LogSource } from "./metachain.ts";

/** A checkpoint that the log of the reader's policy signed. Plain data, as an examination is. */
export interface ShownCheckpoint {
  readonly origin: string;
  readonly treeSize: number;
  /** True where its tree is a larger one, which begins with that of the evidence. */
  readonly isLater: boolean;
  /** Each is a witness's word that it had seen no larger tree of this log then. */
  readonly cosignatures: readonly { readonly witness: string; readonly time: string }[];
  readonly hasQuorum: boolean;
  /** How many witnesses of the policy must lie for a second log with its quorum. */
  readonly liars: number;
}

export interface ExaminedCheckpoint {
  readonly check: Check;
  /** Null unless the check shows that the log signed the tree. */
  readonly checkpoint: ShownCheckpoint | null;
}

export class Checkpoints {
  readonly #policy: TlogPolicy;
  readonly #files: LogSource | null;
  readonly #now: Date | undefined;
  readonly #notes = new Map<string, Promise<string | null>>();
  readonly #trees = new Map<number, TiledTree>();

  /** `files` is null where the reader has no log to ask; `now` is the reader's clock. */
  constructor(policy: TlogPolicy, files: LogSource | null, now?: Date) {
    this.#policy = policy;
    this.#now = now;
    this.#files = files;
  }

  /**
   * Makes the check. `tree` is null for a receipt that is not sealed; `carried` is the note that came with the evidence.
   * With `isAlone`, no file of the log is read. Throws `publication_unavailable`.
   */
  async examine(
    tree: ClaimedTree | null,
    carried: string | null,
    isAlone: boolean,
  ): Promise<ExaminedCheckpoint> {
    const files = isAlone ? null : this.#files;
    const published =
      tree === null || carried !== null || files === null
        ? null
        : await this.#note(files, sealCheckpoint(tree.sealIndex));
    let opened: OpenedCheckpoint | null = null;
    const check = async (): Promise<Finding> => {
      if (tree === null) return unchecked("pending", "the root was not yet published when this was made");
      const found = await this.#find(tree, carried ?? published, files);
      opened = found.opened;
      return found.finding;
    };
    const { checks } = await runSteps([["checkpoint", check]], undefined);
    const [made] = checks;
    if (made === undefined) throw new Error("a step gives a check");
    return { check: made, checkpoint: opened === null ? null : shown(opened, tree) };
  }

  /** A seal may have no checkpoint of its own, and cosignatures may come late: then the newest may show more. */
  async #find(tree: ClaimedTree, note: string | null, files: LogSource | null): Promise<CheckpointFinding> {
    const own = note === null ? null : await checkCheckpoint(tree, note, this.#policy, this.#now);
    const isShort = own === null || own.opened?.hasQuorum === false;
    const later = isShort && files !== null ? await this.#findLater(tree, files) : null;
    if (later !== null && (own === null || later.opened?.hasQuorum === true)) return later;
    if (own !== null) return own;
    return {
      finding: unchecked("not_given", `no signed checkpoint of seal ${tree.sealIndex} is at hand`),
      opened: null,
    };
  }

  /** Null where the log shows no newest checkpoint, or not the tiles that it takes. */
  async #findLater(tree: ClaimedTree, files: LogSource): Promise<CheckpointFinding | null> {
    try {
      const note = await this.#note(files, NEWEST_CHECKPOINT);
      const treeOf = (size: number) => this.#tree(files, size);
      return note === null ? null : await checkLaterCheckpoint(tree, note, this.#policy, treeOf, this.#now);
    } catch (error) {
      if (isDisclosureError(error, "publication_unavailable")) return null;
      throw error;
    }
  }

  #note(files: LogSource, path: string): Promise<string | null> {
    const known = this.#notes.get(path) ?? readNoteFile(files, path);
    this.#notes.set(path, known);
    return known;
  }

  #tree(files: LogSource, size: number): TiledTree {
    const known = this.#trees.get(size) ?? new TiledTree(size, (path) => files.logFile(path));
    this.#trees.set(size, known);
    return known;
  }
}

const shown = (
  { checkpoint, cosignatures, hasQuorum, liars }: OpenedCheckpoint,
  tree: ClaimedTree | null,
): ShownCheckpoint => ({
  origin: checkpoint.origin,
  treeSize: checkpoint.size,
  isLater: checkpoint.size !== tree?.size,
  cosignatures: cosignatures.map(({ witness, time }) => ({ witness, time: time.toISOString() })),
  hasQuorum,
  liars,
});
