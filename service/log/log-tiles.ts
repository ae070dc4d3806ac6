// The metachain's files as C2SP tlog-tiles has them, made of the leaf items. Whatever is damaged is found before the
// first byte is written: what is published once can't be corrected.
import { METACHAIN_ID } from "../../contract/table.ts";
import { equalBytes } from "../../evidence/core/bytes.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { chainHeadEntry } from "../../evidence/core/formats/metachain.ts";
import {
  buildTile,
  entriesPath,
  formatEntries,
  leafToVerify,
  leavesForTile,
  TILE_WIDTH,
  type Tile,
  tilePath,
  verifyTile,
} from "../../evidence/core/log/tiles.ts";
import { rootAt, type TreeLeaf } from "../../evidence/core/merkle/merkle-tree.ts";
import {
  checkFollows,
  Log,
  type LogEntry,
  missingLeaf,
  readEntry,
  verifiedOrCorrupt,
} from "../ledger/log.ts";
import { readChainHead } from "../seals/metachain-entry.ts";
import { leafKey, logPartition } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { MissingItem, untilWhole } from "../table/until-whole.ts";

/** A file by its path below the log's prefix. */
export interface LogFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A tree whose root is published. */
export interface PublishedRoot {
  readonly size: number;
  readonly root: Uint8Array;
}

/**
 * The bundles of entries and then the tiles, a stage for each level. The tiles are some of those that a tree gets when
 * it grows to `size`, lowest level first. Throws `ledger_corrupt` where the table's leaves do not lead to the published
 * root.
 */
export async function buildLogFiles(
  table: Table,
  tiles: readonly Tile[],
  size: number,
  published: PublishedRoot,
): Promise<LogFile[][]> {
  const log = new Log(table, METACHAIN_ID);
  const entries = await readEntries(
    table,
    Math.min(...tiles.map((tile) => firstLeafNeeded(tile, size))),
    size,
  );
  await checkRoot(log, entryAt(entries, size - 1).leaf, published);
  const levels = [...new Set(tiles.map(({ level }) => level))];
  const bundles = tiles.filter(({ level }) => level === 0).map((tile) => bundleOf(tile, entries));
  const stages = [bundles];
  for (const level of levels) {
    const ofLevel = tiles.filter((tile) => tile.level === level);
    stages.push(await Promise.all(ofLevel.map((tile) => tileOf(log, tile, size, entries))));
  }
  return stages;
}

type EntryAt = ReadonlyMap<number, LogEntry>;

/** Level 0 holds all its leaves; a tile above is checked against one. */
const firstLeafNeeded = (tile: Tile, size: number): number =>
  tile.level === 0 ? tile.index * TILE_WIDTH : leafToVerify(tile, size);

/** The entries from `from` to `end`, each hashed again and checked against the one before it. */
async function readEntries(table: Table, from: number, end: number): Promise<EntryAt> {
  const first = Math.max(0, from - 1);
  const range = { from: leafKey(METACHAIN_ID, first).sk.S, upTo: leafKey(METACHAIN_ID, end - 1).sk.S };
  const entries = await untilWhole(async () => {
    const items = await table.query({ partition: logPartition(METACHAIN_ID), ...range });
    if (items.length === end - first) return items.map(readEntry);
    throw new MissingItem("ledger_corrupt", "leaves are missing from the table", { from: first, end });
  });
  for (const [i, entry] of entries.entries()) {
    readChainHead(entry);
    if (i > 0 || first === 0) checkFollows(entry.leaf, entries[i - 1]?.leaf);
  }
  return new Map(entries.map((entry) => [entry.leaf.leafIndex, entry]));
}

/** The leaves lead to the published root, where need be through the tree that it extends. */
async function checkRoot(log: Log, leaf: TreeLeaf, published: PublishedRoot): Promise<void> {
  const size = leaf.leafIndex + 1;
  let root = rootAt(leaf);
  if (size < published.size) {
    await log.consistencyPath({ size, root }, published.size);
    const entryAt = await log.entriesByIndex([published.size - 1]);
    root = rootAt(entryAt(published.size - 1).leaf);
  }
  if (equalBytes(root, published.root)) return;
  throw new DisclosureError("ledger_corrupt", "the leaves do not lead to the published root", { size });
}

function bundleOf(tile: Tile, entries: EntryAt): LogFile {
  const held = leavesForTile(tile).map((index) => chainHeadEntry(readChainHead(entryAt(entries, index))));
  return { path: entriesPath(tile), bytes: formatEntries(held) };
}

async function tileOf(log: Log, tile: Tile, size: number, entries: EntryAt): Promise<LogFile> {
  const others = leavesForTile(tile).filter((index) => !entries.has(index));
  const otherAt = others.length === 0 ? null : await log.entriesByIndex(others);
  const leafAt = (index: number): TreeLeaf =>
    (entries.get(index) ?? otherAt?.(index))?.leaf ?? missingLeaf(index);
  const bytes = buildTile(tile, leafAt);
  // Leaves of an upper tile lie far back in the log, where no entry was checked above.
  verifiedOrCorrupt(() => verifyTile(tile, bytes, size, entryAt(entries, leafToVerify(tile, size)).leaf));
  return { path: tilePath(tile), bytes };
}

const entryAt = (entries: EntryAt, leafIndex: number): LogEntry =>
  entries.get(leafIndex) ?? missingLeaf(leafIndex);
