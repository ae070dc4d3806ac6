// The files of the log as they are published, for whoever must not believe an item that says so.
import { equalBytes } from "../../evidence/core/bytes.ts";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import { TiledTree } from "../../evidence/core/log/tiled-tree.ts";
import {
  entriesPath,
  lastBundle,
  parseEntries,
  parseTile,
  TILE_WIDTH,
  type Tile,
  tilePath,
} from "../../evidence/core/log/tiles.ts";
import { hashLeaf } from "../../evidence/core/merkle/hash.ts";
import type { PublishedRoots } from "../seals/published-roots.ts";
import type { PublishedRoot } from "./log-tiles.ts";

type LogFiles = Pick<PublishedRoots, "logFile">;

/**
 * Says whether the last tile of each level and the last bundle are there, and lead to the root of this tree. Files are
 * written lowest level first, so where these are there, those before them were written before.
 */
export async function leadToRoot(roots: LogFiles, { size, root }: PublishedRoot): Promise<boolean> {
  const read = new Map<string, Promise<Uint8Array | null>>();
  const readOnce = (path: string): Promise<Uint8Array | null> => {
    const reading = read.get(path) ?? roots.logFile(path);
    read.set(path, reading);
    return reading;
  };
  if (!(await isBundleOfTile(readOnce, { level: 0, ...lastBundle(size) }))) return false;
  // Found before the tree asks for it, for which a file that is missing and one that can't be read are one error.
  const isMissing = async (): Promise<boolean> =>
    (await Promise.all([...read.values()])).some((file) => file === null);
  try {
    return equalBytes(await new TiledTree(size, readOnce).root(), root);
  } catch (error) {
    if (isDisclosureError(error, "malformed") || (await isMissing())) return false;
    throw error;
  }
}

/** Says whether one of the full tiles before the leaf `end` is there with its bundle: any, so that no gap lasts. */
export function hasFullTile(roots: LogFiles, end: number, random: () => number): Promise<boolean> {
  const index = Math.floor(random() * Math.floor(end / TILE_WIDTH));
  return isBundleOfTile((path) => roots.logFile(path), { level: 0, index, width: TILE_WIDTH });
}

/** Says whether a tile of level 0 and its bundle are there, with the hashes of its entries. */
export async function isBundleOfTile(
  read: (path: string) => Promise<Uint8Array | null>,
  tile: Tile,
): Promise<boolean> {
  const [entries, hashes] = await Promise.all([read(entriesPath(tile)), read(tilePath(tile))]);
  if (entries === null || hashes === null) return false;
  try {
    const expected = parseEntries(entries, tile.width).map(hashLeaf);
    return parseTile(hashes, tile.width).every((hash, i) =>
      equalBytes(hash, expected[i] ?? hash.subarray(1)),
    );
  } catch (error) {
    if (isDisclosureError(error, "malformed")) return false;
    throw error;
  }
}
