// Publishes the metachain as files that anybody can walk, behind the seals: bundles of entries and hash tiles, each
// written once. It never holds up a seal, may overlap with itself, and goes on from where any run has died.
import { DisclosureError, isDisclosureError } from "../../evidence/core/errors.ts";
import { lastBundle, TILE_WIDTH, type Tile, tilesBetween } from "../../evidence/core/log/tiles.ts";
import { parseNode } from "../../evidence/core/merkle/hash.ts";
import type { PublishedRoots } from "../seals/published-roots.ts";
import type { SealRecord } from "../seals/seal-item.ts";
import type { SealRecords } from "../seals/seal-records.ts";
import { integerOf } from "../table/attributes.ts";
import { allOf, type Condition, isAbsent, isEqual } from "../table/condition.ts";
import { mapInGroups } from "../table/in-groups.ts";
import type { Item } from "../table/item.ts";
import { tilesKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { buildLogFiles, type LogFile, type PublishedRoot } from "./log-tiles.ts";
import { hasFullTile, isBundleOfTile, leadToRoot } from "./published-files.ts";

/**
 * The most tiles of level 0 in one run, each with its bundle; those above are few. A run must end in time, and holds
 * the entries of these tiles in memory.
 */
const MAX_TILES_A_RUN = 64;
/** The most seals of one run. Where more are waiting, only the newest gets its tiles: they hold all older entries. */
const MAX_SEALS_A_RUN = 16;
/** The most files that are written at the same time. */
const WRITE_CONCURRENCY = 8;

/** Tells that an item which says how far work has come was not believed: what it is, and what shows that. */
export type OnDisbelief = (item: string, facts: Readonly<Record<string, unknown>>) => void;

export interface LogPublicationServices {
  readonly table: Table;
  readonly seals: SealRecords;
  readonly roots: PublishedRoots;
  readonly clock: () => Date;
  readonly onDisbelief: OnDisbelief;
  /** From 0 to below 1. */
  readonly random?: () => number;
}

/** How far the files have come. */
interface FilesProgress {
  /** All files of the tree of this size are published. */
  readonly size: number;
  /** So are all full tiles, and their bundles, that end here at the latest: never less than the size. */
  readonly full: number;
}

interface PublicationStep extends FilesProgress {
  readonly tiles: readonly Tile[];
}

/** Throws `publication_conflict` where other bytes are published under a path. */
export async function publishLog(services: LogPublicationServices): Promise<void> {
  const { table, seals, roots } = services;
  let stored = (await table.get(tilesKey)) ?? {};
  const newest = await seals.newestPublished();
  if (newest === null) return;
  let progress = await believed(services, stored, newest);
  for (let tilesLeft = MAX_TILES_A_RUN; tilesLeft > 0; ) {
    const seal = await nextSeal(seals, newest, progress.size);
    if (seal === null) return;
    const step = planStep(progress, seal.tree.tree_size, tilesLeft);
    if (step.tiles.length === 0) return;
    await publishStep(services, step, await publishedTree(roots, seal));
    // A crash before this makes the next run write the same files again, and find them there.
    const next = itemOf(step);
    if (!(await table.update({ key: tilesKey, set: next, when: isStill(stored) }))) return;
    [stored, progress] = [next, step];
    tilesLeft -= step.tiles.length;
  }
}

const NOTHING: FilesProgress = { size: 0, full: 0 };

/** The next published seal whose tree is not published as files, or null. */
async function nextSeal(seals: SealRecords, newest: SealRecord, size: number): Promise<SealRecord | null> {
  if (newest.tree.tree_size <= size) return null;
  if (newest.tree.previous_tree_size <= size) return newest;
  const next = await seals.over(size);
  if (next === null || newest.tree.index - next.tree.index >= MAX_SEALS_A_RUN) return newest;
  return next;
}

/** The tree as the public has it: an item that counts as published may have been changed or put in. */
export async function publishedTree(roots: PublishedRoots, { tree }: SealRecord): Promise<PublishedRoot> {
  const published = await roots.seal(tree.index);
  if (published?.merkle_root === tree.merkle_root && published.tree_size === tree.tree_size) {
    return { size: tree.tree_size, root: parseNode(tree.merkle_root) };
  }
  throw new DisclosureError("publication_conflict", "the published root is another than the table's", {
    index: tree.index,
  });
}

/**
 * The progress that was noted, unless the published files show another one: it would leave a gap for ever. Then all is
 * written again, and what is there is found there.
 */
async function believed(
  services: LogPublicationServices,
  stored: Item,
  newest: SealRecord,
): Promise<FilesProgress> {
  const noted = parseProgress(stored);
  if (noted !== null && (await areThere(services, noted, newest))) return noted;
  services.onDisbelief("the progress of the log's files", { noted, sealed: newest.tree.tree_size });
  return NOTHING;
}

async function areThere(
  { seals, roots, random = Math.random }: LogPublicationServices,
  { size, full }: FilesProgress,
  newest: SealRecord,
): Promise<boolean> {
  if (full < size || full > newest.tree.tree_size) return false;
  if (size > 0) {
    const tree = await treeOf(seals, newest, size);
    if (tree === null || !(await leadToRoot(roots, tree))) return false;
  }
  const end = full > size ? { level: 0, ...lastBundle(full) } : null;
  if (end !== null && !(await isBundleOfTile((path) => roots.logFile(path), end))) return false;
  return full < TILE_WIDTH || hasFullTile(roots, full, random);
}

/** The sealed tree of this size; null where no seal has one. */
async function treeOf(seals: SealRecords, newest: SealRecord, size: number): Promise<PublishedRoot | null> {
  const { tree_size, merkle_root, previous_tree_size, previous_root } = newest.tree;
  if (size === tree_size) return { size, root: parseNode(merkle_root) };
  if (size === previous_tree_size && previous_root !== null) return { size, root: parseNode(previous_root) };
  const seal = await seals.over(size - 1);
  return seal?.tree.tree_size === size ? { size, root: parseNode(seal.tree.merkle_root) } : null;
}

/** All that a tree of `size` lacks or, where that is more than the run may write, the next of its full tiles. */
export function planStep(
  { size: from, full }: FilesProgress,
  size: number,
  maxTiles: number,
): PublicationStep {
  const isFullUpTo = (tile: Tile, end: number) => tile.width === TILE_WIDTH && endOf(tile) <= end;
  const lacking = tilesBetween(from, size).filter((tile) => !isFullUpTo(tile, full));
  const lowest = lacking.filter(({ level }) => level === 0);
  if (lowest.length <= maxTiles) return { tiles: lacking, size, full: size };
  const end = Math.max(full, ...lowest.slice(0, maxTiles).map(endOf));
  return { tiles: lacking.filter((tile) => isFullUpTo(tile, end)), size: from, full: end };
}

/** The number of leaves up to the end of a tile. */
const endOf = ({ level, index, width }: Tile): number => (index * TILE_WIDTH + width) * TILE_WIDTH ** level;

async function publishStep(
  { table, roots, clock }: LogPublicationServices,
  { tiles, full }: PublicationStep,
  published: PublishedRoot,
): Promise<void> {
  for (const stage of await buildLogFiles(table, tiles, full, published)) {
    // A crash between two files leaves some that nothing refers to; they are found again, with equal bytes.
    await mapInGroups(stage, WRITE_CONCURRENCY, ({ path, bytes }: LogFile) =>
      roots.publishLogFile(path, bytes, clock()),
    );
  }
}

/** The size of the tree whose files are all noted as published. Throws `ledger_corrupt`. */
export async function readFilesSize(table: Table): Promise<number> {
  const item = await table.get(tilesKey);
  return item === null ? 0 : integerOf(item, "size");
}

/** Null for an item that is damaged. Before the first files there is none. */
function parseProgress(stored: Item): FilesProgress | null {
  if (stored.size === undefined && stored.full === undefined) return NOTHING;
  try {
    return { size: integerOf(stored, "size"), full: integerOf(stored, "full") };
  } catch (error) {
    if (isDisclosureError(error, "ledger_corrupt")) return null;
    throw error;
  }
}

const itemOf = ({ size, full }: FilesProgress): Item => ({
  size: { N: String(size) },
  full: { N: String(full) },
});

/** False where another run has moved it meanwhile. */
const isStill = ({ size, full }: Item): Condition =>
  allOf(
    size === undefined ? isAbsent("size") : isEqual("size", size),
    full === undefined ? isAbsent("full") : isEqual("full", full),
  );
