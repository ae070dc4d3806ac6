// Walks the entries of the public log up to a published root and looks for labels among them.
import type { Seal } from "../../../evidence/core/formats/metachain.ts";
import { LabelSearch } from "../../../evidence/core/log/label-search.ts";
import { type EntryBundle, entriesPath, parseEntries, TILE_WIDTH } from "../../../evidence/core/log/tiles.ts";
import { sizeAt, type TreeLeaf } from "../../../evidence/core/merkle/merkle-tree.ts";
import { inBundles } from "../../../evidence/reader/log-bundles.ts";
import type { LogSource, MetachainSource } from "../../../evidence/reader/metachain.ts";
import { unavailable } from "../metachain/http-reader.ts";
import type { Terminal } from "../output/terminal.ts";

/** Where the seals are, and the entries under them. */
export type PublicLog = MetachainSource & LogSource;

/** Searches the entries from where an earlier walk ended up to the seal's. Throws `proof_invalid` where they are not its. */
export async function searchLog(
  source: LogSource,
  { tree_size: size, merkle_root: root }: Seal,
  labels: ReadonlySet<string>,
  { from, terminal }: { readonly from: TreeLeaf | null; readonly terminal: Terminal },
): Promise<LabelSearch> {
  const search = new LabelSearch(labels, from);
  const progress = terminal.progress(Math.max(0, size - sizeAt(from)), "entries of the public log");
  for await (const { first, entries } of inBundles(sizeAt(from), size, (bundle) =>
    readBundle(source, bundle),
  )) {
    const known = search.size - first;
    for (const entry of entries.slice(known)) search.add(entry);
    progress.step(entries.length - known);
  }
  search.checkRoot(root);
  return search;
}

async function readBundle(source: LogSource, bundle: EntryBundle) {
  const path = entriesPath(bundle);
  const bytes = await source.logFile(path);
  if (bytes === null) throw unavailable(`${path} of the public log is missing`);
  return { first: bundle.index * TILE_WIDTH, entries: parseEntries(bytes, bundle.width) };
}
