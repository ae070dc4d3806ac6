// The published heads of a tenant's own chain, page by page. Each is compared with its entry in the public log and with the
// chain's leaf before it is served.
import { METACHAIN_ID } from "../../contract/table.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import {
  type ChainPage,
  MAX_PAGE_HEADS,
  type SealedHead,
} from "../../evidence/core/formats/chain-history.ts";
import { formatNode } from "../../evidence/core/merkle/hash.ts";
import { rootAt } from "../../evidence/core/merkle/merkle-tree.ts";
import { Log } from "../ledger/log.ts";
import { shardOf } from "../ledger/tenant-chains.ts";
import { readChainHead } from "../seals/metachain-entry.ts";
import { SealRecords } from "../seals/seal-records.ts";
import { readSpanOver, readSpans, type Span } from "../seals/span.ts";
import { mapInGroups } from "../table/in-groups.ts";
import { tenantKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { type Caller, readTenantChains } from "../tenants/tenants.ts";

/** The most heads that are read at the same time. */
const READ_CONCURRENCY = 16;

/**
 * The published heads of one of the caller's chains, from the one that continues at the size `from`. Throws `not_found`
 * for a chain that is not the caller's, as for one that does not exist.
 */
export async function readChainPage(
  table: Table,
  caller: Caller,
  chainId: string,
  from: number,
): Promise<ChainPage> {
  const shard = await readShard(table, caller, chainId);
  const spans = await readSpans(table, chainId, from, MAX_PAGE_HEADS + 1);
  await requireNoGap(table, chainId, from, spans);
  const read = await mapInGroups(spans.slice(0, MAX_PAGE_HEADS), READ_CONCURRENCY, (span) =>
    readPublishedHead(table, chainId, span),
  );
  const end = read.indexOf(null);
  const heads = read.slice(0, end === -1 ? read.length : end).filter((head) => head !== null);
  const last = heads.at(-1);
  const isFollowed = end === -1 && spans.length > MAX_PAGE_HEADS;
  return { chain_id: chainId, shard, heads, next: isFollowed && last ? last.tree_size : null };
}

/** A reader would take a head that is not told for a lie. Throws `ledger_corrupt`. */
async function requireNoGap(
  table: Table,
  chainId: string,
  from: number,
  [first, ...rest]: readonly Span[],
): Promise<void> {
  // Where no head ends at `from`, the span over it begins before, and is there.
  if (first !== undefined && first.fromSize > from) await readSpanOver(table, chainId, from);
  let end = first?.treeSize;
  for (const { fromSize, treeSize } of rest) {
    if (fromSize !== end)
      throw new DisclosureError("ledger_corrupt", "a span is missing from the table", { chainId });
    end = treeSize;
  }
}

/** The head that a span sealed; null while no published seal covers it. It never changes once it is published. */
export async function readPublishedHead(
  table: Table,
  chainId: string,
  span: Span,
): Promise<SealedHead | null> {
  const record = await new SealRecords(table).shownOver(span.leafIndex);
  if (!record?.isPublished) return null;
  const [entry, leaf] = await Promise.all([
    new Log(table, METACHAIN_ID).entry(span.leafIndex),
    new Log(table, chainId).entry(span.treeSize - 1),
  ]);
  const head = entry === null ? null : readChainHead(entry);
  const isRight =
    head !== null &&
    leaf !== null &&
    head.chain_id === chainId &&
    head.head_index === span.headIndex &&
    head.tree_size === span.treeSize &&
    head.root === formatNode(rootAt(leaf.leaf));
  // A reader would take it for a lie: nothing is served that is not in the public log.
  if (!isRight) throw new DisclosureError("ledger_corrupt", "a sealed head is not the chain's", { chainId });
  const { head_index, tree_size, root } = head;
  return { head_index, tree_size, root, leaf_index: span.leafIndex, seal_index: record.tree.index };
}

/**
 * The shard of one of the caller's chains. One that the caller's number does not reach is looked for under the number
 * that the table has: chains may have come since the authorizer was asked, and a reader who misses one would take it for
 * hidden. Throws `not_found`.
 */
export async function readShard(table: Table, caller: Caller, chainId: string): Promise<number> {
  const told = shardOf(caller, chainId);
  if (told !== null) return told;
  const tenant = await table.get(tenantKey(caller.tenantId));
  return (tenant === null ? null : shardOf(readTenantChains(tenant), chainId)) ?? noSuchChain();
}

function noSuchChain(): never {
  throw new DisclosureError("not_found", "there is no such chain");
}
