// Fetches what a folder lacks of a tenant's history, verifies it from the first head to the last, and finds every head in
// the public log, and no other of its chains. Whatever was verified is kept, so each run reads only what is new.
import { DisclosureError } from "../../../evidence/core/errors.ts";
import type { SealedHead } from "../../../evidence/core/formats/chain-history.ts";
import type { HistoryIndex } from "../../../evidence/core/formats/history-folder.ts";
import type { Seal } from "../../../evidence/core/formats/metachain.ts";
import { formatTreeLeaf, parseTreeLeaf } from "../../../evidence/core/formats/tree-leaf.ts";
import { ENTRY_BYTES } from "../../../evidence/core/log/entry.ts";
import { type EarlierWalk, type HeadWalk, loggedHead } from "../../../evidence/core/log/head-walk.ts";
import { bundlesBetween } from "../../../evidence/core/log/leaf-bundles.ts";
import { reachOf } from "../../../evidence/core/log/reach.ts";
import type { HeldChain } from "../../../evidence/reader/history-files.ts";
import { inOrder } from "../../../evidence/reader/in-order.ts";
import { newestWithEntries } from "../../../evidence/reader/log-bundles.ts";
import type { Terminal } from "../output/terminal.ts";
import type { ChainClient, OwnChain } from "./chain-client.ts";
import { type HeadGroup, inGroups, requireCounted } from "./head-groups.ts";
import type { HistoryFolder } from "./history-folder.ts";
import { listChains, unusedChains } from "./list-chains.ts";
import { type PublicLog, walkLog } from "./walk-log.ts";

/** Tiles under way at a time. */
const WIDTH = 8;

export interface HistoryServices {
  readonly client: ChainClient;
  readonly log: PublicLog;
  readonly folder: HistoryFolder;
  readonly terminal: Terminal;
  /** Called once the log was walked and verified, before the folder says that it was: no later run walks there again. */
  readonly onVerified?: () => Promise<void>;
}

export interface FetchedHistory {
  readonly chains: number;
  readonly receipts: number;
  readonly heads: number;
  /** Heads that this run found in the public log. */
  readonly found: number;
  /** Heads behind the last entry that could be walked. */
  readonly waiting: number;
  /** The seal up to which the log was walked; null where nothing is published yet. */
  readonly seal: Seal | null;
}

/** `anchor` is null where the service is asked for the tenant's chains. Throws `proof_invalid` for two histories. */
export async function fetchHistory(
  services: HistoryServices,
  anchor: string | null,
): Promise<FetchedHistory> {
  const { folder, log, terminal } = services;
  const held = await folder.readIndex();
  requireAnchor(held, anchor);
  // The log is read up to here before the heads are: every head under this seal must be among them.
  const seal = await newestWithEntries(log);
  const { chains, fetched } = await fetchChains(services, anchor, held);
  const earlier = earlierWalk(held, fetched, anchor);
  const others = anchor === null ? [] : unusedChains(anchor, chains.length);
  const walk = seal === null ? null : await walkOver(log, seal, { fetched, others, earlier, terminal });
  if (walk !== null) verifyAll(fetched, others, walk);
  await services.onVerified?.();
  await folder.writeIndex({
    tenant_anchor: anchor,
    chains: [...chains],
    searched: walk?.last ? formatTreeLeaf(walk.last) : null,
  });
  return { ...totalsOf(fetched, walk, earlier?.last.leafIndex ?? -1), chains: chains.length, seal };
}

/**
 * Fetches the chains until the list of them stays the same: a chain that begins meanwhile is told too, or it would look
 * hidden to whoever holds a later head of another one against the log.
 */
async function fetchChains(services: HistoryServices, anchor: string | null, held: HistoryIndex | null) {
  const { client } = services;
  const fetched: HeldChain[] = [];
  for (let chains: readonly OwnChain[] = []; ; ) {
    const listed = await listChains(client, anchor);
    if (listed.length === chains.length) return { chains, fetched };
    requireKnown(held, listed);
    for (const { chain_id } of listed.slice(fetched.length))
      fetched.push(await fetchChain(services, chain_id, walkedFor(held, chain_id)));
    chains = listed;
  }
}

/** A walk without the anchor would pass entries among which nobody looked for the tenant's other chains. */
function requireAnchor(held: HistoryIndex | null, anchor: string | null): void {
  const before = held?.tenant_anchor ?? null;
  if (before === null || before === anchor) return;
  if (anchor !== null) refuse("the folder has the history of another tenant's anchor");
  throw new DisclosureError("malformed", "this folder's history was fetched under an anchor; give --anchor");
}

function requireKnown(held: HistoryIndex | null, chains: readonly OwnChain[]): void {
  const told = new Set(chains.map(({ chain_id }) => chain_id));
  const lost = held?.chains.find(({ chain_id }) => !told.has(chain_id));
  if (lost !== undefined) refuse(`the service no longer tells chain ${lost.chain_id}`);
}

/** Verifies the chain that the folder holds; then fetches, verifies and keeps its new heads in groups with their leaves. */
async function fetchChain(services: HistoryServices, chainId: string, walked: number): Promise<HeldChain> {
  const { client, folder } = services;
  const held = await folder.readChain(chainId);
  const { history } = held;
  // The last head is read again: another one in its place is another history.
  const from = history.heads.at(-2)?.tree_size ?? 0;
  let isFirst = history.heads.length > 0;
  for await (const page of client.heads(chainId, from)) {
    const heads = isFirst ? withoutLast(page, history.heads.at(-1), chainId) : page;
    isFirst = false;
    requireBehind(heads, walked, chainId);
    for (const group of inGroups(heads, history.size)) await addHeads(services, held, group);
  }
  if (isFirst) refuse(`the service no longer tells the heads of chain ${chainId}`);
  return held;
}

function withoutLast(
  [first, ...rest]: readonly SealedHead[],
  last: SealedHead | undefined,
  chainId: string,
): SealedHead[] {
  const isSame = first?.root === last?.root && first?.head_index === last?.head_index;
  if (!isSame) refuse(`the service tells another history of chain ${chainId} than the folder has`);
  return rest;
}

/** An earlier walk passed these entries, and the chain's next head was not among them. */
function requireBehind([first]: readonly SealedHead[], walked: number, chainId: string): void {
  if (first !== undefined && first.leaf_index <= walked)
    refuse(`the public log had not head ${first.head_index} of chain ${chainId} when it was walked last`);
}

async function addHeads(
  { client, folder, log, terminal }: HistoryServices,
  held: HeldChain,
  group: HeadGroup,
): Promise<void> {
  const { history, leaves } = held;
  await requireCounted(history.chainId, group, log);
  const { heads, from, to } = group;
  const firstHead = history.heads.length;
  const progress = terminal.progress(to - from, "receipts");
  for await (const { index, bytes } of inOrder(bundlesBetween(from, to), WIDTH, async (place) => ({
    index: place.index,
    bytes: await client.leaves(history.chainId, place),
  }))) {
    if (!leaves.isContinuedBy(index, bytes, from))
      refuse(`the service tells other receipts of chain ${history.chainId} than the folder has`);
    leaves.set(index, bytes);
    progress.step(bytes.length / ENTRY_BYTES);
  }
  for (const head of heads) history.add(head);
  // A crash before this reads the same page again.
  await folder.writeGrowth(held, from, firstHead);
}

/** The last entry that was walked when this chain was looked for; -1 for none. */
function walkedFor(held: HistoryIndex | null, chainId: string): number {
  const isKnown = held?.chains.some(({ chain_id }) => chain_id === chainId) === true;
  return isKnown ? (held?.searched?.leaf_index ?? -1) : -1;
}

/** A walk goes on where the last one ended, but begins again for a chain that it did not look for. */
function earlierWalk(
  held: HistoryIndex | null,
  fetched: readonly HeldChain[],
  anchor: string | null,
): EarlierWalk | null {
  const known = new Set(held?.chains.map(({ chain_id }) => chain_id));
  const isNew = fetched.some(({ history }) => !known.has(history.chainId)) || held?.tenant_anchor !== anchor;
  const searched = held?.searched ?? null;
  if (searched === null || isNew) return null;
  const heads = fetched.map(({ history: { chainId, heads } }) => {
    const walked = heads.filter(({ leaf_index }) => leaf_index <= searched.leaf_index);
    return [
      chainId,
      walked.map(({ head_index, tree_size, root, leaf_index }) =>
        loggedHead({ chain_id: chainId, head_index, tree_size, root }, leaf_index),
      ),
    ] as const;
  });
  return { last: parseTreeLeaf(searched), heads: new Map(heads) };
}

interface Wanted {
  readonly fetched: readonly HeldChain[];
  readonly others: readonly string[];
  readonly earlier: EarlierWalk | null;
  readonly terminal: Terminal;
}

function walkOver(
  log: PublicLog,
  seal: Seal,
  { fetched, others, earlier, terminal }: Wanted,
): Promise<HeadWalk> {
  if (earlier !== null && seal.tree_size <= earlier.last.leafIndex)
    refuse("the public log is shorter than it was when it was walked last");
  const chainIds = [...fetched.map(({ history }) => history.chainId), ...others];
  return walkLog(log, seal, chainIds, { earlier, terminal });
}

/** Every head of the log up to the seal is told, in its place, and no other chain has one. */
function verifyAll(fetched: readonly HeldChain[], others: readonly string[], walk: HeadWalk): void {
  for (const chainId of others) if (walk.headsOf(chainId)?.length !== 0) refuseUntold(chainId, 0);
  for (const { history } of fetched) {
    const { end, broken } = reachOf(history, walk);
    if (broken !== null)
      refuse(
        `the public log has not head ${broken.head_index} of chain ${history.chainId} at entry ${broken.leaf_index}`,
      );
    if (end < walk.size) refuseUntold(history.chainId, history.heads.length);
  }
}

const refuseUntold = (chainId: string, headIndex: number): never =>
  refuse(`the public log has head ${headIndex} of chain ${chainId}, which the history does not tell`);

/** `walked` is the last entry that an earlier walk passed. */
function totalsOf(fetched: readonly HeldChain[], walk: HeadWalk | null, walked: number) {
  const heads = fetched.flatMap(({ history }) => history.heads);
  const size = walk?.size ?? 0;
  const waiting = heads.filter(({ leaf_index }) => leaf_index >= size).length;
  return {
    receipts: fetched.reduce((sum, { history }) => sum + history.size, 0),
    heads: heads.length,
    found: heads.filter(({ leaf_index }) => leaf_index > walked).length - waiting,
    waiting,
  };
}

function refuse(sentence: string): never {
  throw new DisclosureError("proof_invalid", sentence);
}
