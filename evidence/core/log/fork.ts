// The proof that a log signed two histories: two of its checkpoints that no log which only grows can both have. It needs
// nothing but the log's key, and can be handed on.
import * as z from "zod";
import { equalBytes, formatHex, utf8 } from "../bytes.ts";
import { DisclosureError } from "../errors.ts";
import { logCheckpointSchema } from "../formats/metachain.ts";
import { nodeSchema, pathSchema } from "../formats/shapes.ts";
import { formatNode, hashBytes, parseNode } from "../merkle/hash.ts";
import { verifyConsistency } from "../merkle/merkle-proof.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { openCheckpoint } from "./open-checkpoint.ts";
import type { TiledTree } from "./tiled-tree.ts";
import type { TlogPolicy } from "./tlog-policy.ts";

export const FORK_FORMAT = "disclosure-receipts fork 1";
/** Enough of a hash to keep logs apart by the names of files. Hex digits. */
const NAME_DIGITS = 16;

export const forkSchema = z.object({
  format: z.literal(FORK_FORMAT),
  /** The notes, that of the smaller tree first. */
  checkpoints: z.tuple([logCheckpointSchema, logCheckpointSchema]),
  /**
   * The root that the larger tree has where it was as large as the smaller one; null for two trees of one size. A path
   * from a complete subtree does not hold that root, so it is told beside the path.
   */
  prefix_root: nodeSchema.nullable(),
  /** RFC 9162 section 2.1.4 path from that root to the larger tree's; empty for two trees of one size. */
  consistency_path: pathSchema,
});
export type Fork = z.infer<typeof forkSchema>;

/** The facts that a verified fork shows. */
export interface VerifiedFork {
  readonly origin: string;
  readonly smaller: Checkpoint;
  readonly larger: Checkpoint;
}

/** The name of the file that a program writes a fork into. */
export const forkFileName = (origin: string): string =>
  `fork-${formatHex(hashBytes(utf8(origin))).slice(0, NAME_DIGITS)}.json`;

/**
 * Verifies that the log of the policy signed both, and that they contradict each other. Throws `malformed` for notes that
 * are no checkpoints, `proof_invalid` where no fork is shown.
 */
export async function verifyFork(fork: Fork, policy: TlogPolicy): Promise<VerifiedFork> {
  const [first, second] = fork.checkpoints;
  const [a, b] = [await openCheckpoint(first, policy), await openCheckpoint(second, policy)];
  const [smaller, larger] = [a.checkpoint, b.checkpoint];
  if (smaller.origin !== larger.origin) refuse("the two checkpoints are of two logs");
  const prefix = prefixRoot(fork, smaller, larger);
  verifyConsistency(smaller.size, larger.size, fork.consistency_path.map(parseNode), prefix, larger.root);
  if (equalBytes(prefix, smaller.root)) refuse("the larger tree extends the smaller one");
  return { origin: smaller.origin, smaller, larger };
}

/** Trees of one size differ by their roots alone. */
function prefixRoot({ prefix_root }: Fork, smaller: Checkpoint, larger: Checkpoint): Uint8Array {
  if (prefix_root !== null) return parseNode(prefix_root);
  return smaller.size === larger.size
    ? larger.root
    : refuse("the root of the larger tree's beginning is missing");
}

/** A note with the tree that it is of. */
export interface SignedTree {
  readonly note: string;
  readonly checkpoint: Checkpoint;
}

/**
 * Makes the proof from two checkpoints and the tiles of the larger tree. Null where the trees fit, and where the tiles
 * are not those of the larger tree. Throws `publication_unavailable` where they are missing.
 */
export async function buildFork(
  one: SignedTree,
  other: SignedTree,
  treeOf: (size: number) => TiledTree,
): Promise<Fork | null> {
  const [smaller, larger] = one.checkpoint.size <= other.checkpoint.size ? [one, other] : [other, one];
  const checkpoints: [string, string] = [smaller.note, larger.note];
  const [from, to] = [smaller.checkpoint, larger.checkpoint];
  if (from.size === to.size) {
    if (equalBytes(from.root, to.root)) return null;
    return { format: FORK_FORMAT, checkpoints, prefix_root: null, consistency_path: [] };
  }
  const tree = treeOf(to.size);
  const [root, prefix] = [await tree.root(), await tree.root(from.size)];
  if (!equalBytes(root, to.root) || equalBytes(prefix, from.root)) return null;
  const path = await tree.consistencyPath(from.size);
  return {
    format: FORK_FORMAT,
    checkpoints,
    prefix_root: formatNode(prefix),
    consistency_path: path.map(formatNode),
  };
}

function refuse(message: string): never {
  throw new DisclosureError("proof_invalid", message);
}
