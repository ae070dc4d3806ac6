// The check `checkpoint`: the tree that evidence leads to is one that the log signed, root and size, and the witnesses of
// the reader's policy have seen no other. Without a policy of the reader's it can't be made.
import { equalBytes } from "../bytes.ts";
import { parseCheckpoint } from "../log/checkpoint.ts";
import { parseNote } from "../log/note.ts";
import { type OpenedCheckpoint, openCheckpoint } from "../log/open-checkpoint.ts";
import type { TiledTree } from "../log/tiled-tree.ts";
import type { TlogPolicy } from "../log/tlog-policy.ts";
import { parseNode } from "../merkle/hash.ts";
import { verifyConsistency } from "../merkle/merkle-proof.ts";
import { MAX_CLOCK_DIFFERENCE_MS } from "../timestamps/clock-difference.ts";
import { type Finding, fail, holds, unchecked } from "./check.ts";
import { count } from "./count.ts";

const entries = (size: number): string => count(size, "entry", "entries");

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

/**
 * `now` is the reader's clock. Throws `malformed` for a note that is no checkpoint, `proof_invalid` for one that
 * contradicts the tree.
 */
export async function checkCheckpoint(
  tree: ClaimedTree,
  note: string,
  policy: TlogPolicy,
  now?: Date,
): Promise<CheckpointFinding> {
  const stray = strayFinding(note, policy);
  if (stray !== null) return { finding: stray, opened: null };
  const opened = await openCheckpoint(note, policy, latestCosignature(now));
  requireTree(opened, tree);
  const { origin } = opened.checkpoint;
  return judged(opened, `${origin} signed this root with its size of ${tree.size}`);
}

/**
 * The same by the log's newest checkpoint, which may be of a larger tree: the tiles show that it extends this one. Throws
 * as `checkCheckpoint`, and `publication_unavailable` where a tile is missing.
 */
export async function checkLaterCheckpoint(
  tree: ClaimedTree,
  note: string,
  policy: TlogPolicy,
  treeOf: (size: number) => TiledTree,
  now?: Date,
): Promise<CheckpointFinding> {
  const stray = strayFinding(note, policy);
  if (stray !== null) return { finding: stray, opened: null };
  const opened = await openCheckpoint(note, policy, latestCosignature(now));
  const { origin, size, root } = opened.checkpoint;
  if (size < tree.size)
    return {
      finding: unchecked("too_new", "the newest checkpoint of the log is older than this root"),
      opened: null,
    };
  const path = size === tree.size ? [] : await treeOf(size).consistencyPath(tree.size);
  verifyConsistency(tree.size, size, path, parseNode(tree.root), root);
  return judged(
    opened,
    `${origin} signed a tree of ${entries(size)}, whose first ${tree.size} have this root`,
  );
}

/** The latest time of a cosignature that counts by the reader's clock; none without a clock. */
export const latestCosignature = (now: Date | undefined): Date | undefined =>
  now && new Date(now.getTime() + MAX_CLOCK_DIFFERENCE_MS);

/** Throws `proof_invalid` unless the checkpoint is of this very tree. */
export function requireTree({ checkpoint }: Pick<OpenedCheckpoint, "checkpoint">, tree: ClaimedTree): void {
  if (checkpoint.size !== tree.size)
    fail(`the checkpoint is of a tree of ${entries(checkpoint.size)}, and not of ${tree.size}`);
  if (!equalBytes(checkpoint.root, parseNode(tree.root)))
    fail(`the log signed another root for ${entries(tree.size)}`);
}

/** A policy of another log says nothing against the evidence. Null where the policy names the checkpoint's log. */
function strayFinding(note: string, { logs }: TlogPolicy): Finding | null {
  const { origin } = parseCheckpoint(parseNote(note).text);
  if (logs.some(({ key }) => key.name === origin)) return null;
  return unchecked("other_log", `it is a checkpoint of ${origin}, which the reader's policy does not name`);
}

function judged(opened: OpenedCheckpoint, signed: string): CheckpointFinding {
  const seen = opened.cosignatures.length === 0 ? "" : `; ${describeCosignatures(opened)}`;
  const finding = opened.hasQuorum
    ? holds(`${signed}${seen}`)
    : unchecked("no_quorum", `${signed}${seen}; that is not the quorum of the reader's policy`);
  return { finding, opened };
}

function describeCosignatures({ cosignatures, hasQuorum, liars }: OpenedCheckpoint): string {
  const words = `cosigned by ${cosignatures.map(({ witness, time }) => `${witness} at ${time.toISOString()}`).join(", ")}`;
  return hasQuorum && liars === 0 ? `${words}; this quorum does not exclude a second log` : words;
}
