// The newest checkpoint of a log against the tree that was walked, and the proof where the two are of different histories.
import { equalBytes } from "../../../evidence/core/bytes.ts";
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import type { Seal } from "../../../evidence/core/formats/metachain.ts";
import { buildFork, type Fork, type SignedTree } from "../../../evidence/core/log/fork.ts";
import { TiledTree } from "../../../evidence/core/log/tiled-tree.ts";
import { parseNode } from "../../../evidence/core/merkle/hash.ts";
import type { LogSource } from "../../../evidence/reader/metachain.ts";
import type { CheckpointWalk } from "./checkpoint-walk.ts";

/**
 * Null where the newest checkpoint is of the same log as the last root, smaller or larger; else what is wrong. Where
 * tiles that are needed for that can't be read, as a moment after their seal, nothing is known to be wrong.
 */
export async function checkNewest(
  walk: CheckpointWalk,
  note: string,
  last: Seal,
  source: LogSource,
): Promise<string | null> {
  try {
    const { checkpoint } = await walk.open(note);
    const [size, root] = [last.tree_size, parseNode(last.merkle_root)];
    const larger = new TiledTree(Math.max(size, checkpoint.size), (path) => source.logFile(path));
    const hasRoot = async (of: number, expected: Uint8Array): Promise<boolean> =>
      of === size ? equalBytes(root, expected) : equalBytes(await larger.root(of), expected);
    if (checkpoint.size <= size)
      return (await hasRoot(checkpoint.size, checkpoint.root)) ? null : anotherRoot(checkpoint.size);
    if (!equalBytes(await larger.root(), checkpoint.root))
      return `the files of the log are not those of the ${checkpoint.size} entries that its newest checkpoint signs`;
    return equalBytes(await larger.root(size), root) ? null : anotherRoot(size);
  } catch (error) {
    if (isDisclosureError(error, "publication_unavailable")) return null;
    if (isDisclosureError(error)) return error.message;
    throw error;
  }
}

const anotherRoot = (size: number): string =>
  `the newest checkpoint is of another log than the roots: the two have different roots for ${size} entries`;

/**
 * The proof that the log signed both: `suspects` are its checkpoints that don't fit the roots, `known` others of its
 * checkpoints. Null where none can be made, as from notes that the log has not signed.
 */
export async function proveFork(
  walk: CheckpointWalk,
  suspects: readonly (string | null)[],
  known: readonly (string | null)[],
  source: LogSource,
): Promise<Fork | null> {
  const treeOf = (size: number) => new TiledTree(size, (path) => source.logFile(path));
  const others = await openAll(walk, known);
  for (const suspect of await openAll(walk, suspects)) {
    for (const other of others) {
      const fork = await orNull(() => buildFork(suspect, other, treeOf));
      if (fork !== null) return fork;
    }
  }
  return null;
}

async function openAll(walk: CheckpointWalk, notes: readonly (string | null)[]): Promise<SignedTree[]> {
  const given = notes.filter((note) => note !== null);
  const opened = await Promise.all(given.map((note) => orNull(() => walk.open(note))));
  return opened.filter((one) => one !== null);
}

/** Tiles of a tree that nobody shows, and notes that nobody signed, prove nothing. */
async function orNull<T>(make: () => Promise<T | null>): Promise<T | null> {
  try {
    return await make();
  } catch (error) {
    if (isDisclosureError(error)) return null;
    throw error;
  }
}
