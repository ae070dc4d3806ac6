// Walks the entries of the public log up to a published root and looks for labels among them.
import { DisclosureError } from "../../core/errors.ts";
import type { Seal } from "../../core/formats/metachain.ts";
import { LabelSearch } from "../../core/log/label-search.ts";
import { leafTilesBetween } from "../../core/log/leaf-tiles.ts";
import { type EntryBundle, entriesPath, parseEntries, TILE_WIDTH } from "../../core/log/tiles.ts";
import { sizeAt, type TreeLeaf } from "../../core/merkle/merkle-tree.ts";
import { inOrder } from "../../reader/in-order.ts";
import { type LogSource, type MetachainSource, parseHead, parseRoot } from "../../reader/metachain.ts";
import type { Terminal } from "../output/terminal.ts";

/** Where the seals are, and the entries under them. */
export type PublicLog = MetachainSource & LogSource;

/** Bundles under way at a time. */
const WIDTH = 8;
/** The files of the log follow its seals: the newest seals may have none yet, and some never get a partial one. */
const MAX_SEALS_BACK = 32;

/** The newest seal up to which the log's entries can be read; null before the first. Throws `publication_unavailable`. */
export async function newestWithEntries(source: PublicLog): Promise<Seal | null> {
  const { latest } = parseHead(await source.head());
  let seal = latest;
  for (let back = 0; seal !== null && back < MAX_SEALS_BACK; back++) {
    if ((await source.logFile(entriesPath(lastBundle(seal.tree_size)))) !== null) return seal;
    seal = seal.index === 0 ? null : await readSeal(source, seal.index - 1);
  }
  if (latest === null) return null;
  throw unavailable("the entries of the public log are not published yet; try again in a few minutes");
}

/** Searches the entries from where an earlier walk ended up to the seal's. Throws `proof_invalid` where they are not its. */
export async function searchLog(
  source: LogSource,
  { tree_size: size, merkle_root: root }: Seal,
  labels: ReadonlySet<string>,
  { from, terminal }: { readonly from: TreeLeaf | null; readonly terminal: Terminal },
): Promise<LabelSearch> {
  const search = new LabelSearch(labels, from);
  const progress = terminal.progress(Math.max(0, size - sizeAt(from)), "entries of the public log");
  for await (const { bundle, entries } of inOrder(leafTilesBetween(sizeAt(from), size), WIDTH, (place) =>
    readBundle(source, place),
  )) {
    const known = search.size - bundle.index * TILE_WIDTH;
    for (const entry of entries.slice(known, size - bundle.index * TILE_WIDTH)) search.add(entry);
    progress.step(entries.length - known);
  }
  search.checkRoot(root);
  return search;
}

const lastBundle = (size: number): EntryBundle => {
  const index = Math.floor((size - 1) / TILE_WIDTH);
  return { index, width: size - index * TILE_WIDTH };
};

async function readBundle(source: LogSource, bundle: EntryBundle) {
  const path = entriesPath(bundle);
  const bytes = await source.logFile(path);
  if (bytes === null) throw unavailable(`${path} of the public log is missing`);
  return { bundle, entries: parseEntries(bytes, bundle.width) };
}

async function readSeal(source: MetachainSource, index: number): Promise<Seal> {
  const bytes = await source.root(index);
  if (bytes === null) throw unavailable(`root ${index} is missing`);
  return parseRoot(bytes, index);
}

const unavailable = (message: string): DisclosureError =>
  new DisclosureError("publication_unavailable", message);
