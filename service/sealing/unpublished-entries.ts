// The entries of the metachain that no published root covers yet, as an operator looks at them.
import { METACHAIN_ID } from "../../contract/table.ts";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import { checkFollows, type LogEntry, readEntry } from "../ledger/log.ts";
import { readChainHead } from "../seals/metachain-entry.ts";
import type { SealRecord } from "../seals/seal-item.ts";
import { integerOf } from "../table/attributes.ts";
import type { Item } from "../table/item.ts";
import { leafKey, logPartition } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { type ClaimServices, findUnclaimed, type PlacedHead, type UnclaimedEntry } from "./claims.ts";

interface UnpublishedEntries {
  readonly entries: readonly PlacedHead[];
  /** The first one that is missing or is no entry; null where all are sound. */
  readonly fault: UnclaimedEntry | null;
}

/**
 * The first entry after `published` that no chain claims; null where there is none. One that is damaged counts, and one that
 * is missing under the seal that waits: the run of the sealer stops at each of these.
 */
export async function findFirstUnclaimed(
  services: ClaimServices,
  published: SealRecord | null,
  waiting: SealRecord | null,
): Promise<UnclaimedEntry | null> {
  const { entries, fault } = await readUnpublished(services.table, published?.tree.tree_size ?? 0, waiting);
  return (await findUnclaimed(services, published?.tree ?? null, entries)) ?? fault;
}

async function readUnpublished(
  table: Table,
  publishedSize: number,
  waiting: SealRecord | null,
): Promise<UnpublishedEntries> {
  const entries: PlacedHead[] = [];
  const nextPlace = (): number => publishedSize + entries.length;
  let before: LogEntry | undefined;
  let total = 0;
  const from = leafKey(METACHAIN_ID, Math.max(0, publishedSize - 1)).sk.S;
  for await (const items of table.pages({ partition: logPartition(METACHAIN_ID), from })) {
    for (const item of items) {
      try {
        const entry = readEntry(item);
        // The newest entry under the published root, which the next one follows from.
        if (entry.leaf.leafIndex >= publishedSize) {
          checkFollows(entry.leaf, before?.leaf);
          const receipts = integerOf(item, "receipts_total") - total;
          entries.push({ leafIndex: nextPlace(), head: readChainHead(entry), receipts });
        }
        total = integerOf(item, "receipts_total");
        before = entry;
      } catch (error) {
        if (!isDisclosureError(error, "ledger_corrupt")) throw error;
        return { entries, fault: { leafIndex: nextPlace(), chainId: namedBy(item), detail: error.message } };
      }
    }
  }
  const isShort = nextPlace() < (waiting?.tree.tree_size ?? 0);
  const missing = { leafIndex: nextPlace(), chainId: "", detail: "the entry is missing" };
  return { entries, fault: isShort ? missing : null };
}

/** The id of the chain that an item names, whatever else it is; empty where it names none. */
export const namedBy = (item: Item): string => item.chain_id?.S ?? "";
