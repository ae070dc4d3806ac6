// Reads the files of a tenant's history (docs/history.md), and verifies each chain from its first head to its last. What
// was handed over is not trusted.
import { DisclosureError } from "../core/errors.ts";
import type { SealedHead } from "../core/formats/chain-history.ts";
import {
  HEADS_A_FILE,
  type HistoryIndex,
  headsFileSchema,
  historyIndexSchema,
} from "../core/formats/history-folder.ts";
import { chainIdOf } from "../core/formats/tenant-anchor.ts";
import { ChainHistory } from "../core/log/chain-history.ts";
import { bundlesBetween, LeafBundles, requireLeaves } from "../core/log/leaf-bundles.ts";
import { type EntryBundle, formatTilePlace, TILE_WIDTH } from "../core/log/tiles.ts";
import type { TenantHistory } from "../core/verify/tenant-history.ts";
import { parseAs } from "./metachain.ts";
import { naming } from "./naming.ts";

export const INDEX_FILE = "history.json";
/** The name of a partial bundle: how many leaves are in it. */
const WIDTH_NAME = /^[1-9]\d{0,2}$/;

/** The files of a history as a port, by their paths below its folder. */
export interface HistoryFiles {
  /** The folder as the reader gave it. */
  readonly name: string;
  /** The bytes of a file; null where there is none. Throws `malformed` or `payload_too_large`. */
  readonly read: (path: string) => Promise<Uint8Array | null>;
  /** The names in a folder; none where there is no such folder. */
  readonly list: (path: string) => Promise<readonly string[]>;
}

/** A chain's history as it is in the folder, verified from its first head to its last. */
export interface HeldChain {
  readonly history: ChainHistory;
  readonly leaves: LeafBundles;
}

/** Throws `malformed` for a folder without a history, `proof_invalid` for a history that does not hold by itself. */
export async function readHistory(files: HistoryFiles): Promise<TenantHistory> {
  const index = await readIndex(files);
  if (index === null) throw new DisclosureError("malformed", `${files.name} has no history`);
  checkIds(index, files.name);
  const chains = new Map<string, ChainHistory>();
  for (const { chain_id } of index.chains) chains.set(chain_id, (await readChain(files, chain_id)).history);
  return { tenantAnchor: index.tenant_anchor, chains };
}

/** Null for a folder without a history. Throws `malformed`. */
export const readIndex = (files: HistoryFiles): Promise<HistoryIndex | null> =>
  readParsed(files, INDEX_FILE, (bytes) => parseAs(historyIndexSchema, bytes, "a history's index"));

/** Reads and verifies all that is held of a chain. Throws `malformed`, or `proof_invalid` where it does not hold. */
export async function readChain(files: HistoryFiles, chainId: string): Promise<HeldChain> {
  const leaves = new LeafBundles();
  const history = new ChainHistory(chainId, leaves.read);
  for (let first = 0; ; first += HEADS_A_FILE) {
    const heads = await readHeads(files, chainId, first);
    if (heads === null) return { history, leaves };
    await readLeaves(files, history, heads.at(-1)?.tree_size ?? 0, leaves);
    for (const head of heads) history.add(head);
  }
}

/** `first` is the index of the first head in the file. */
export const headsPath = (chainId: string, first: number): string =>
  `chains/${chainId}/heads/${first / HEADS_A_FILE}.json`;

export const leavesPath = (chainId: string, place: EntryBundle): string =>
  `chains/${chainId}/entries/${formatTilePlace(place)}`;

/** With an anchor, no chain can be passed off as the tenant's that is not. */
function checkIds({ tenant_anchor: anchor, chains }: HistoryIndex, name: string): void {
  if (anchor === null || chains.every(({ chain_id, shard }) => chainIdOf(anchor, shard) === chain_id)) return;
  throw new DisclosureError("malformed", `a chain in ${name} is not of the anchor that is in it`);
}

const readHeads = (files: HistoryFiles, chainId: string, first: number): Promise<SealedHead[] | null> =>
  readParsed(files, headsPath(chainId, first), (bytes) => parseAs(headsFileSchema, bytes, "a list of heads"));

/** The leaves up to `size`. The last head of all decides how full the last bundle is; it must not change what was verified. */
async function readLeaves(
  files: HistoryFiles,
  { chainId, size: from }: ChainHistory,
  size: number,
  leaves: LeafBundles,
): Promise<void> {
  for (const place of bundlesBetween(from, size)) {
    const bytes = (await readFull(files, chainId, place)) ?? (await readPartial(files, chainId, place));
    if (bytes === null)
      throw new DisclosureError("malformed", `${files.name} lacks leaves of chain ${chainId}`);
    if (!leaves.isContinuedBy(place.index, bytes, from))
      throw new DisclosureError(
        "proof_invalid",
        `${files.name} has two leaves of a receipt of chain ${chainId}`,
      );
    leaves.set(place.index, bytes);
  }
}

/** The full bundle where there is one: later heads cover more of it. */
const readFull = (files: HistoryFiles, chainId: string, { index }: EntryBundle): Promise<Uint8Array | null> =>
  readBundle(files, chainId, { index, width: TILE_WIDTH });

/** The least of the partial bundles that are wide enough. */
async function readPartial(
  files: HistoryFiles,
  chainId: string,
  { index, width }: EntryBundle,
): Promise<Uint8Array | null> {
  if (width === TILE_WIDTH) return null;
  const folder = leavesPath(chainId, { index, width: 1 }).replace(/\/1$/, "");
  const widths = (await files.list(folder)).filter((name) => WIDTH_NAME.test(name)).map(Number);
  const [least] = widths.filter((held) => held >= width).sort((a, b) => a - b);
  return least === undefined ? null : readBundle(files, chainId, { index, width: least });
}

const readBundle = (files: HistoryFiles, chainId: string, place: EntryBundle): Promise<Uint8Array | null> =>
  readParsed(files, leavesPath(chainId, place), (bytes) => {
    requireLeaves(bytes, place.width);
    return bytes;
  });

/** Null where there is no such file. An error names it. */
async function readParsed<T>(
  files: HistoryFiles,
  path: string,
  parse: (bytes: Uint8Array) => T,
): Promise<T | null> {
  return naming(`${files.name}/${path}`, async () => {
    const bytes = await files.read(path);
    return bytes === null ? null : parse(bytes);
  });
}
