// The signed checkpoints of a log under the policy of its reader: each is taken from the evidence, or else from the log's
// own files, and read once however many receipts lead to it.
import { sealCheckpoint } from "../core/log/log-paths.ts";
import type { OpenedCheckpoint } from "../core/log/open-checkpoint.ts";
import type { TlogPolicy } from "../core/log/tlog-policy.ts";
import { type Check, type Finding, runSteps, unchecked } from "../core/verify/check.ts";
import { type ClaimedTree, checkCheckpoint } from "../core/verify/verify-checkpoint.ts";
import { readNoteFile } from "./log-notes.ts";
import type { LogSource } from "./metachain.ts";

/** A checkpoint that the log of the reader's policy signed. Plain data, as an examination is. */
export interface ShownCheckpoint {
  readonly origin: string;
  readonly treeSize: number;
  /** Each is a witness's word that it had seen no larger tree of this log then. */
  readonly cosignatures: readonly { readonly witness: string; readonly time: string }[];
  readonly hasQuorum: boolean;
}

export interface ExaminedCheckpoint {
  readonly check: Check;
  /** Null unless the check shows that the log signed the tree. */
  readonly checkpoint: ShownCheckpoint | null;
}

export class Checkpoints {
  readonly #policy: TlogPolicy;
  readonly #files: LogSource | null;
  readonly #notes = new Map<number, Promise<string | null>>();

  /** `files` is null where the reader has no log to ask. */
  constructor(policy: TlogPolicy, files: LogSource | null) {
    this.#policy = policy;
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
    const published = tree === null || isAlone ? null : await this.#published(tree.sealIndex, carried);
    let opened: OpenedCheckpoint | null = null;
    const check = async (): Promise<Finding> => {
      if (tree === null) return unchecked("the root was not yet published when this was made");
      const note = carried ?? published;
      if (note === null) return unchecked(`no signed checkpoint of seal ${tree.sealIndex} is at hand`);
      const found = await checkCheckpoint(tree, note, this.#policy);
      opened = found.opened;
      return found.finding;
    };
    const { checks } = await runSteps([["checkpoint", check]], undefined);
    const [made] = checks;
    if (made === undefined) throw new Error("a step gives a check");
    return { check: made, checkpoint: opened === null ? null : shown(opened) };
  }

  async #published(index: number, carried: string | null): Promise<string | null> {
    if (carried !== null || this.#files === null) return null;
    const known = this.#notes.get(index) ?? readNoteFile(this.#files, sealCheckpoint(index));
    this.#notes.set(index, known);
    return known;
  }
}

const shown = ({ checkpoint, cosignatures, hasQuorum }: OpenedCheckpoint): ShownCheckpoint => ({
  origin: checkpoint.origin,
  treeSize: checkpoint.size,
  cosignatures: cosignatures.map(({ witness, time }) => ({ witness, time: time.toISOString() })),
  hasQuorum,
});
