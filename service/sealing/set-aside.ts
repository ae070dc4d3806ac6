// Takes entries of the metachain back that were never published: the first that no chain claims, which keeps the sealer from
// publishing, and all behind it. The honest ones among them are appended again by the next run.
//
// Each step is safe to repeat. While a seal waits, runs of the sealer stop at it and append nothing.
//  1. Find the first unclaimed entry. Refused unless it is the one that was named, and if a root over it may be public.
//                                                                       Crash: nothing has changed.
//  2. From the newest entry down to the named one: delete the spans of the chain that it names which lead to the named
//     place or behind it, and then the entry.                           Crash: the seal waits for a missing entry; repeat.
//  3. Delete the sealer's progress: its next run looks at all news.     Crash: the same.
//  4. Delete the waiting seal.                                          Crash: all is done.
import { randomUUID } from "node:crypto";
import { METACHAIN_ID, PARTITION_KEY, SORT_KEY } from "../../contract/table.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import type { PublishedRoots } from "../seals/published-roots.ts";
import { type SealRecord, sealKey } from "../seals/seal-item.ts";
import type { SealRecords } from "../seals/seal-records.ts";
import { readAllSpans } from "../seals/span.ts";
import { textOf } from "../table/attributes.ts";
import { type ItemKey, leafKey, logPartition, sealedPartition, sealerKey, spanKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { CONDITION_FAILED } from "../table/transaction-outcome.ts";
import type { ClaimServices, UnclaimedEntry } from "./claims.ts";
import { type PublishedTip, readTip } from "./published-tip.ts";
import { findFirstUnclaimed, namedBy } from "./unpublished-entries.ts";

export interface SetAsideServices extends ClaimServices {
  readonly seals: SealRecords;
  readonly roots: PublishedRoots;
}

/** What was taken back, or would be. */
export interface SetAside {
  readonly unclaimed: UnclaimedEntry;
  /** The chains that the entries name, which are sealed anew where they are honest. */
  readonly chainIds: readonly string[];
  readonly entries: number;
  readonly spans: number;
  /** The index of the seal that waited; null where there was none over the entry. */
  readonly seal: number | null;
}

/** Says what `setAside` would take back. Throws as that does, and writes nothing. */
export async function foreseeSetAside(services: SetAsideServices, place: number): Promise<SetAside> {
  const tip = await readTip(services.seals, services.roots);
  const unclaimed = await requireUnclaimed(services, tip, place);
  const waiting = await requireUnpublished(services, tip, place);
  return takeBack(services.table, { unclaimed, waiting, remove: async () => {} });
}

/**
 * Throws `invalid_request` where the named entry is not the first that no chain claims, and `publication_conflict` where a
 * root over it is public, or may be.
 */
export async function setAside(services: SetAsideServices, place: number): Promise<SetAside> {
  const { table, seals, roots } = services;
  const tip = await readTip(seals, roots);
  const unclaimed = await requireUnclaimed(services, tip, place);
  const waiting = await requireUnpublished(services, tip, place);
  const remove = (key: ItemKey) => removeOne(table, key);
  const taken = await takeBack(table, { unclaimed, waiting, remove });
  await remove(sealerKey);
  if (waiting !== null) await remove(sealKey(waiting.tree));
  return taken;
}

async function requireUnclaimed(
  services: SetAsideServices,
  { published, waiting }: PublishedTip,
  place: number,
): Promise<UnclaimedEntry> {
  const unclaimed = await findFirstUnclaimed(services, published, waiting);
  if (unclaimed?.leafIndex === place) return unclaimed;
  const first =
    unclaimed === null ? "each of them is claimed" : `the first unclaimed one is ${unclaimed.leafIndex}`;
  throw new DisclosureError("invalid_request", `entry ${place} is not to be set aside: ${first}`, { place });
}

/** The seal over the entry that waits to be published; null where there is none. */
async function requireUnpublished(
  { roots }: SetAsideServices,
  { waiting }: PublishedTip,
  place: number,
): Promise<SealRecord | null> {
  if (waiting === null || waiting.tree.tree_size <= place) return null;
  // A run that died between publishing a root and the head has left it there, for good.
  if ((await roots.sealText(waiting.tree.index)) === null) return waiting;
  const evidence = { index: waiting.tree.index };
  throw new DisclosureError("publication_conflict", "the root over this entry is public already", evidence);
}

interface TakingBack {
  readonly unclaimed: UnclaimedEntry;
  readonly waiting: SealRecord | null;
  readonly remove: (key: ItemKey) => Promise<void>;
}

async function takeBack(table: Table, { unclaimed, waiting, remove }: TakingBack): Promise<SetAside> {
  const from = leafKey(METACHAIN_ID, unclaimed.leafIndex).sk.S;
  const chains = new Map<string, number>();
  let entries = 0;
  for await (const items of table.pages({ partition: logPartition(METACHAIN_ID), from, descending: true })) {
    for (const item of items) {
      const chainId = namedBy(item);
      if (!chains.has(chainId))
        chains.set(chainId, await removeSpans(table, chainId, unclaimed.leafIndex, remove));
      // By its own key: what was planted need not be a leaf.
      await remove({ pk: { S: textOf(item, PARTITION_KEY) }, sk: { S: textOf(item, SORT_KEY) } });
      entries++;
    }
  }
  const spans = [...chains.values()].reduce((sum, count) => sum + count, 0);
  return { unclaimed, chainIds: [...chains.keys()], entries, spans, seal: waiting?.tree.index ?? null };
}

/**
 * Those that lead to this place of the metachain or behind it, the newest first: readers of the chain never meet a hole. All
 * are looked at: a planted one may begin anywhere.
 */
async function removeSpans(
  table: Table,
  chainId: string,
  place: number,
  remove: TakingBack["remove"],
): Promise<number> {
  const taken: number[] = [];
  for await (const { fromSize, leafIndex } of readAllSpans(table, chainId))
    if (leafIndex >= place) taken.unshift(fromSize);
  for (const fromSize of taken) await remove(spanKey(sealedPartition(chainId), fromSize));
  return taken.length;
}

/** Does nothing where the item is gone already. Throws `ledger_unavailable`; to repeat the whole is safe then. */
async function removeOne(table: Table, key: ItemKey): Promise<void> {
  const outcome = await table.transact([{ remove: key }], randomUUID());
  const isGone =
    outcome.kind === "refused" && outcome.refusals.every(({ code }) => code === CONDITION_FAILED);
  if (outcome.kind === "committed" || isGone) return;
  throw new DisclosureError("ledger_unavailable", "the table was too busy; nothing is lost, run it again");
}
