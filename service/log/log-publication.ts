// Publishes the metachain as files that anybody can walk, behind the seals: bundles of entries and hash tiles, each
// written once. It never holds up a seal, may overlap with itself, and goes on from where any run has died.
import { DisclosureError } from "../../evidence/core/errors.ts";
import {
  entriesPath,
  lastBundle,
  TILE_WIDTH,
  type Tile,
  tilesBetween,
} from "../../evidence/core/log/tiles.ts";
import { parseNode } from "../../evidence/core/merkle/hash.ts";
import type { PublishedRoots } from "../seals/published-roots.ts";
import type { SealRecord } from "../seals/seal-item.ts";
import type { SealRecords } from "../seals/seal-records.ts";
import { integerOf } from "../table/attributes.ts";
import { allOf, type Condition, isAbsent, isEqual } from "../table/condition.ts";
import { mapInGroups } from "../table/in-groups.ts";
import { tilesKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { buildLogFiles, type LogFile, type PublishedRoot } from "./log-tiles.ts";

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
  const stored = await readProgress(services.table);
  let progress = stored;
  for (let tilesLeft = MAX_TILES_A_RUN; tilesLeft > 0; ) {
    const seal = await nextSeal(services.seals, progress?.size ?? 0);
    if (seal === null) return;
    // Asked once: what this run writes is there.
    const from = progress === stored ? await believed(services.roots, stored) : (progress ?? NOTHING);
    const step = planStep(from, seal.tree.tree_size, tilesLeft);
    if (step.tiles.length === 0) return;
    await publishStep(services, step, await publishedTree(services.roots, seal));
    // A crash before this makes the next run write the same files again, and find them there.
    if (!(await writeProgress(services.table, progress, step))) return;
    progress = { size: step.size, full: step.full };
    tilesLeft -= step.tiles.length;
  }
}

const NOTHING: FilesProgress = { size: 0, full: 0 };

/** The next published seal whose tree is not published as files, or null. */
async function nextSeal(seals: SealRecords, size: number): Promise<SealRecord | null> {
  const newest = await seals.newestPublished();
  if (newest === null || newest.tree.tree_size <= size) return null;
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

/** The progress that was noted, unless its last files are missing: it would leave a gap for ever. Then all is repeated. */
async function believed(roots: PublishedRoots, noted: FilesProgress | null): Promise<FilesProgress> {
  if (noted === null) return NOTHING;
  const bundles = [...new Set([noted.size, noted.full])].filter((size) => size > 0).map(lastBundle);
  const found = await Promise.all(bundles.map((bundle) => roots.logFile(entriesPath(bundle))));
  return found.includes(null) ? NOTHING : noted;
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

/** The size of the tree whose files are all published. Throws `ledger_corrupt`. */
export const readFilesSize = async (table: Table): Promise<number> => (await readProgress(table))?.size ?? 0;

async function readProgress(table: Table): Promise<FilesProgress | null> {
  const item = await table.get(tilesKey);
  return item === null ? null : { size: integerOf(item, "size"), full: integerOf(item, "full") };
}

/** False where another run has moved it meanwhile. */
function writeProgress(
  table: Table,
  from: FilesProgress | null,
  { size, full }: FilesProgress,
): Promise<boolean> {
  const set = { size: { N: String(size) }, full: { N: String(full) } };
  return table.update({ key: tilesKey, set, when: isStill(from) });
}

const isStill = (progress: FilesProgress | null): Condition =>
  progress === null
    ? isAbsent("size")
    : allOf(isEqual("size", { N: String(progress.size) }), isEqual("full", { N: String(progress.full) }));
