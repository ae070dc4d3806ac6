// The check `checkpoint`: the tree that evidence leads to is one that the log signed, root and size, and the witnesses of
// the reader's policy have seen no other. Without a policy of the reader's it can't be made.
import { equalBytes } from "../bytes.ts";
import { parseCheckpoint } from "../log/checkpoint.ts";
import { parseNote } from "../log/note.ts";
import { type Cosignature, type OpenedCheckpoint, openCheckpoint } from "../log/open-checkpoint.ts";
import type { TlogPolicy } from "../log/tlog-policy.ts";
import { parseNode } from "../merkle/hash.ts";
import { type Finding, fail, holds, mismatched, unchecked } from "./check.ts";

/** The tree of the metachain that evidence claims to lead to. */
export interface ClaimedTree {
  readonly sealIndex: number;
  readonly size: number;
  /** `0x` and hex. */
  readonly root: string;
}

/** The finding, and the checkpoint under which it was made; null where the log's signature did not lead to one. */
export interface CheckpointFinding {
  readonly finding: Finding;
  readonly opened: OpenedCheckpoint | null;
}

/** Throws `malformed` for a note that is no checkpoint, `proof_invalid` for one that contradicts the tree. */
export async function checkCheckpoint(
  tree: ClaimedTree,
  note: string,
  policy: TlogPolicy,
): Promise<CheckpointFinding> {
  const { origin } = parseCheckpoint(parseNote(note).text);
  if (!policy.logs.some(({ key }) => key.name === origin)) {
    const finding = mismatched(
      "log",
      `it is a checkpoint of ${origin}, which the reader's policy does not name`,
    );
    return { finding, opened: null };
  }
  const opened = await openCheckpoint(note, policy);
  requireTree(opened, tree);
  const signed = `${origin} signed this root with its size of ${tree.size}`;
  const seen = opened.cosignatures.length === 0 ? "" : `; ${describeCosignatures(opened.cosignatures)}`;
  const finding = opened.hasQuorum
    ? holds(`${signed}${seen}`)
    : unchecked(`${signed}${seen}; that is not the quorum of the reader's policy`);
  return { finding, opened };
}

/** Throws `proof_invalid` unless the checkpoint is of this very tree. */
export function requireTree({ checkpoint }: Pick<OpenedCheckpoint, "checkpoint">, tree: ClaimedTree): void {
  if (checkpoint.size !== tree.size)
    fail(`the checkpoint is of a tree of ${checkpoint.size} entries, and not of ${tree.size}`);
  if (!equalBytes(checkpoint.root, parseNode(tree.root)))
    fail(`the log signed another root for ${tree.size} entries`);
}

const describeCosignatures = (cosignatures: readonly Cosignature[]): string =>
  `cosigned by ${cosignatures.map(({ witness, time }) => `${witness} at ${time.toISOString()}`).join(", ")}`;
