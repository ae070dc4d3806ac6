// The guard before every signature. Two signed checkpoints of trees that do not fit each other are proof against the log
// for ever, so whatever was restored, set back or tampered with has to end here: with an alarm and without a signature.
import { equalBytes } from "../../evidence/core/bytes.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import type { Checkpoint } from "../../evidence/core/log/checkpoint.ts";
import { rootAt } from "../../evidence/core/merkle/merkle-tree.ts";
import type { Log } from "../ledger/log.ts";
import type { PublishedRoot } from "./log-tiles.ts";

/**
 * The published tree of this size is the one that the table has, and extends that of an earlier checkpoint. Throws
 * `publication_conflict`; an error of a table that can't be reached passes.
 */
export async function requireExtends(log: Log, earlier: Checkpoint, tree: PublishedRoot): Promise<void> {
  const [from, to] = [earlier.size, tree.size];
  if (from < 1 || from > to) throw conflict("a published checkpoint is of a larger tree", { from, to });
  try {
    const entryAt = await log.entriesByIndex([from - 1, to - 1]);
    requireRoot(rootAt(entryAt(from - 1).leaf), earlier);
    requireRoot(rootAt(entryAt(to - 1).leaf), tree);
    await log.consistencyPath({ size: from, root: earlier.root }, to);
  } catch (error) {
    throw asConflict(error, { from, to });
  }
}

/** The table's root at this size is the one that is published. Throws `publication_conflict`. */
export async function requireTree(log: Log, tree: PublishedRoot): Promise<void> {
  try {
    const entryAt = await log.entriesByIndex([tree.size - 1]);
    requireRoot(rootAt(entryAt(tree.size - 1).leaf), tree);
  } catch (error) {
    throw asConflict(error, { size: tree.size });
  }
}

function requireRoot(root: Uint8Array, { size, root: published }: PublishedRoot): void {
  if (equalBytes(root, published)) return;
  throw conflict("the table's leaves lead to another root than the published one", { size });
}

/** Damage of the table counts as a conflict here: nobody knows what was signed over the leaves that it had. */
function asConflict(error: unknown, sizes: object): unknown {
  if (!(error instanceof DisclosureError) || error.code !== "ledger_corrupt") return error;
  return conflict("the table's leaves do not lead from the published checkpoint on", { ...sizes }, error);
}

const conflict = (
  message: string,
  evidence: Readonly<Record<string, unknown>>,
  cause?: unknown,
): DisclosureError => new DisclosureError("publication_conflict", message, evidence, cause);
