// A metachain of any length for tests, written past the service: each entry is the head of a chain with one receipt, which no
// tenant has.

import { randomUUID } from "node:crypto";
import { formatEventId } from "../../evidence/core/formats/event-id.ts";
import { type ChainHead, chainHeadEntry, hashChainHead } from "../../evidence/core/formats/metachain.ts";
import {
  hashReceiptCore,
  NO_PREVIOUS_HASH,
  type ReceiptCore,
  withoutAuthentication,
} from "../../evidence/core/formats/receipt.ts";
import { formatNode } from "../../evidence/core/merkle/hash.ts";
import { appendLeaf, type TreeLeaf } from "../../evidence/core/merkle/merkle-tree.ts";
import { chainLeafItem } from "../../service/ledger/chain-leaf.ts";
import type { Macs } from "../../service/ledger/macs.ts";
import { metachainEntryItem, readMetachainHead } from "../../service/seals/metachain-entry.ts";
import { spanItem } from "../../service/seals/span.ts";
import type { Item } from "../../service/table/item.ts";
import { MAX_TRANSACTION_ITEMS, type Table } from "../../service/table/table.ts";
import { receipt } from "./receipts.ts";
import { ascending } from "./trees.ts";

/** An entry, the span that claims it, and its chain's receipt. */
const ITEMS_PER_ENTRY = 3;
const ENTRIES_PER_TRANSACTION = Math.floor(MAX_TRANSACTION_ITEMS / ITEMS_PER_ENTRY);

/** The one receipt of the chain that entry `index` leads to. */
function coreAt(index: number): ReceiptCore {
  const chain_id = index.toString(16).padStart(32, "0");
  const event_id = formatEventId(chain_id, { shard: 0, sequence: 0 });
  const place = { chain_id, event_id, sequence: 0, turn: 1, previous_hash: NO_PREVIOUS_HASH };
  return { ...withoutAuthentication(receipt), ...place, previous_turn_hash: null, recorded_after: null };
}

const leafAt = (index: number): TreeLeaf => appendLeaf(null, hashReceiptCore(coreAt(index)));

/** The heads that were asked for: the oracle asks for each of them again and again. */
const HEADS: ChainHead[] = [];

/** The head that entry `index` commits to. */
export function headAt(index: number): ChainHead {
  const { chain_id } = coreAt(index);
  HEADS[index] ??= { chain_id, head_index: 0, tree_size: 1, root: formatNode(leafAt(index).leafHash) };
  return HEADS[index];
}

export const entryBytesAt = (index: number): Uint8Array => chainHeadEntry(headAt(index));

/** Appends entries until there are `size`. */
export async function growMetachain(
  { table, macs }: { readonly table: Table; readonly macs: Macs },
  size: number,
): Promise<void> {
  let newest = (await readMetachainHead(table))?.leaf ?? null;
  const from = newest === null ? 0 : newest.leafIndex + 1;
  const entries = await Promise.all(
    ascending(size - from, (i) => {
      newest = appendLeaf(newest, hashChainHead(headAt(from + i)));
      return itemsOf(macs, newest);
    }),
  );
  for (let start = 0; start < entries.length; start += ENTRIES_PER_TRANSACTION) {
    const items = entries.slice(start, start + ENTRIES_PER_TRANSACTION).flat();
    await table.transact(
      items.map((item) => ({ insert: item })),
      randomUUID(),
    );
  }
}

async function itemsOf(macs: Macs, entry: TreeLeaf): Promise<Item[]> {
  const { leafIndex } = entry;
  const [core, leaf, head] = [coreAt(leafIndex), leafAt(leafIndex), headAt(leafIndex)];
  const authentication = await macs.authenticateReceipt({ core, leaf });
  const span = { headIndex: 0, fromSize: 0, treeSize: 1, leafIndex };
  return [
    metachainEntryItem(head, entry, leafIndex + 1),
    spanItem(head.chain_id, span),
    chainLeafItem({ leaf, core, authentication, stampedSeal: null }, randomUUID()),
  ];
}
