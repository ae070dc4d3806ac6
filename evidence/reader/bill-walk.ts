// Walks the entries of the public log from the first up to the seal as of which a bill was made, and notes heads of chains.
import { DisclosureError } from "../core/errors.ts";
import { HeadWalk } from "../core/log/head-walk.ts";
import { type EntryBundle, entriesPath, parseEntries, TILE_WIDTH } from "../core/log/tiles.ts";
import type { WalkLog } from "./bill.ts";
import { inBundles, newestWithEntries } from "./log-bundles.ts";
import type { LogSource, MetachainSource } from "./metachain.ts";

/** `onEntries` is told how many of how many entries were walked. */
export const walkIn =
  (
    source: MetachainSource & LogSource,
    onEntries: (walked: number, of: number) => void = () => {},
  ): WalkLog =>
  async ({ merkle_root, tree_size: end }, chainIds) => {
    const newest = await newestWithEntries(source);
    if (newest === null || newest.tree_size < end) return null;
    const walk = new HeadWalk(chainIds);
    const read = (bundle: EntryBundle) => readBundle(source, bundle, newest.tree_size);
    for await (const { first, entries } of inBundles(0, end, read)) {
      for (const entry of entries.slice(0, end - first)) walk.add(entry);
      onEntries(walk.size, end);
    }
    walk.checkRoot(merkle_root);
    return walk;
  };

/** The log keeps the bundle that its newest seal needs; one that was only as full as an older seal may be gone. */
async function readBundle(source: LogSource, { index }: EntryBundle, size: number) {
  const first = index * TILE_WIDTH;
  const width = Math.min(TILE_WIDTH, size - first);
  const path = entriesPath({ index, width });
  const bytes = await source.logFile(path);
  if (bytes === null)
    throw new DisclosureError("publication_unavailable", `${path} of the public log is missing`);
  return { first, entries: parseEntries(bytes, width) };
}
