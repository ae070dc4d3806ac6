// How far the files of a log have come, and its bundles of entries in their order. The files follow their seals.
import { DisclosureError, isDisclosureError } from "../core/errors.ts";
import type { Seal } from "../core/formats/metachain.ts";
import { bundlesBetween } from "../core/log/leaf-bundles.ts";
import { type EntryBundle, edgeTiles, entriesPath, lastBundle, tilePath } from "../core/log/tiles.ts";
import { inOrder } from "./in-order.ts";
import { type LogSource, type MetachainSource, parseHead, parseRoot } from "./metachain.ts";

/** Bundles under way at a time. */
const WIDTH = 8;
/**
 * A seal never waits for its files, and where many seals lack them, only the newest of these gets its own. Whoever keeps
 * files back for longer than this many seals is found out.
 */
const MAX_SEALS_BACK = 32;

/** Reads a file by its path below the log's prefix; null where there is none. */
export type ReadFile = (path: string) => Promise<Uint8Array | null>;

/** The files that must be there for a seal, by the size of its tree. */
type FilesOfTree = (size: number) => readonly string[];

/** For a walk over the entries alone. */
const lastEntries: FilesOfTree = (size) => [entriesPath(lastBundle(size))];
/** For a walk over the tiles, too: the one at the highest level is published last. */
const lastTiles: FilesOfTree = (size) => edgeTiles(size).map(tilePath);

/** The newest seal whose files are there; null where none of the newest has them, or a root among these can't be read. */
async function newestWithFiles(
  latest: Seal,
  source: Pick<MetachainSource, "root">,
  read: ReadFile,
  filesOf: FilesOfTree,
): Promise<Seal | null> {
  let seal: Seal | null = latest;
  for (let back = 0; seal !== null && back < MAX_SEALS_BACK; back++) {
    const files = await Promise.all(filesOf(seal.tree_size).map(read));
    if (!files.includes(null)) return seal;
    seal = await readRoot(source, seal.index - 1);
  }
  return null;
}

/** The newest seal up to which the log's entries can be read; null before the first. Throws `publication_unavailable`. */
export async function newestWithEntries(source: MetachainSource & LogSource): Promise<Seal | null> {
  const { latest } = parseHead(await source.head());
  if (latest === null) return null;
  const newest = await newestWithFiles(latest, source, (path) => source.logFile(path), lastEntries);
  return (
    newest ??
    Promise.reject(
      new DisclosureError("publication_unavailable", "the public log lacks the entries of its newest roots"),
    )
  );
}

/** How far the entries of a log can be walked. */
export interface WalkableEnd {
  readonly end: number;
  /** When the first seal was made whose entries are not published yet, as it states; null where there is none. */
  readonly waitingSince: string | null;
}

/** For a walk over the tiles. Where no seal has its files, the walk meets the first that is missing, and names it. */
export async function walkableEnd(
  latest: Seal | null,
  source: Pick<MetachainSource, "root">,
  read: ReadFile,
): Promise<WalkableEnd> {
  const newest = latest && (await newestWithFiles(latest, source, read, lastTiles));
  const isBehind = newest !== null && newest.index < (latest?.index ?? 0);
  const waitingSince = isBehind ? await sealedAfter(newest, source) : null;
  return { end: (newest ?? latest)?.tree_size ?? 0, waitingSince };
}

/**
 * When the root after this one was sealed, as it states; null where there is none. After the newest seal whose entries can
 * be read, it says since when they are kept back.
 */
export async function sealedAfter(
  { index }: Seal,
  source: Pick<MetachainSource, "root">,
): Promise<string | null> {
  const next = await readRoot(source, index + 1);
  return next?.sealed_at ?? null;
}

/** Null for a root that is missing or malformed: whoever walks the roots meets it, and says so. */
async function readRoot(source: Pick<MetachainSource, "root">, index: number): Promise<Seal | null> {
  const bytes = index < 0 ? null : await source.root(index);
  try {
    return bytes && parseRoot(bytes, index);
  } catch (error) {
    if (isDisclosureError(error, "malformed")) return null;
    throw error;
  }
}

/** Runs `read` on each bundle that the entries `from` up to `end` lie in, some at a time; the results come in their order. */
export const inBundles = <T>(
  from: number,
  end: number,
  read: (bundle: EntryBundle) => Promise<T>,
): AsyncGenerator<T> => inOrder(bundlesBetween(from, end), WIDTH, read);
