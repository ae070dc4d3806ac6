// Walks the entries of the public log up to the seal as of which a bill was made, and looks for labels among them.
import { DisclosureError } from "../core/errors.ts";
import { LabelSearch } from "../core/log/label-search.ts";
import { type EntryBundle, entriesPath, parseEntries, TILE_WIDTH } from "../core/log/tiles.ts";
import { sizeAt } from "../core/merkle/merkle-tree.ts";
import type { SearchLog } from "./bill.ts";
import { inBundles, newestWithEntries } from "./log-bundles.ts";
import type { LogSource, MetachainSource } from "./metachain.ts";

/** `onEntries` is told how many of how many entries were walked. */
export const searchIn =
  (
    source: MetachainSource & LogSource,
    onEntries: (walked: number, of: number) => void = () => {},
  ): SearchLog =>
  async ({ merkle_root, tree_size: end }, { from, labels }) => {
    const newest = await newestWithEntries(source);
    if (newest === null || newest.tree_size < end) return null;
    const search = new LabelSearch(labels, from);
    const start = search.size;
    const read = (bundle: EntryBundle) => readBundle(source, bundle, newest.tree_size);
    for await (const { first, entries } of inBundles(sizeAt(from), end, read)) {
      for (const entry of entries.slice(search.size - first, end - first)) search.add(entry);
      onEntries(search.size - start, end - start);
    }
    search.checkRoot(merkle_root);
    return search;
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
