// Walks the entries of the public log up to a published root, and notes the heads of chains among them.
import type { Seal } from "../../../evidence/core/formats/metachain.ts";
import { type EarlierWalk, HeadWalk } from "../../../evidence/core/log/head-walk.ts";
import { type EntryBundle, entriesPath, parseEntries, TILE_WIDTH } from "../../../evidence/core/log/tiles.ts";
import { inBundles, newestWithEntries } from "../../../evidence/reader/log-bundles.ts";
import type { LogSource, MetachainSource } from "../../../evidence/reader/metachain.ts";
import type { WalkNewest } from "../../../evidence/reader/session/inputs.ts";
import { unavailable } from "../metachain/http-reader.ts";
import type { Terminal } from "../output/terminal.ts";

/** Where the seals are, and the entries under them. */
export type PublicLog = MetachainSource & LogSource;

/** Walks the entries from where an earlier walk ended up to the seal's. Throws `proof_invalid` where they are not its. */
export async function walkLog(
  source: LogSource,
  { tree_size: size, merkle_root: root }: Seal,
  chainIds: Iterable<string>,
  { earlier, terminal }: { readonly earlier: EarlierWalk | null; readonly terminal: Terminal },
): Promise<HeadWalk> {
  const walk = new HeadWalk(chainIds, earlier);
  const start = walk.size;
  const progress = terminal.progress(Math.max(0, size - start), "entries of the public log");
  for await (const { first, entries } of inBundles(start, size, (bundle) => readBundle(source, bundle))) {
    const known = walk.size - first;
    for (const entry of entries.slice(known)) walk.add(entry);
    progress.step(entries.length - known);
  }
  walk.checkRoot(root);
  return walk;
}

/** A walk from the first entry up to the newest root whose entries are there. */
export const walkNewest =
  (log: PublicLog, terminal: Terminal): WalkNewest =>
  async (chainIds) => {
    const seal = await newestWithEntries(log);
    return seal === null ? null : walkLog(log, seal, chainIds, { earlier: null, terminal });
  };

async function readBundle(source: LogSource, bundle: EntryBundle) {
  const path = entriesPath(bundle);
  const bytes = await source.logFile(path);
  if (bytes === null) throw unavailable(`${path} of the public log is missing`);
  return { first: bundle.index * TILE_WIDTH, entries: parseEntries(bytes, bundle.width) };
}
