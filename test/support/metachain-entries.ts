// A metachain of any length for tests, written past the service: its entries lead to chains that nobody has.

import { randomUUID } from "node:crypto";
import { type ChainHead, chainHeadEntry, hashChainHead } from "../../evidence/core/formats/metachain.ts";
import { appendLeaf, type TreeLeaf } from "../../evidence/core/merkle/merkle-tree.ts";
import { metachainEntryItem, readMetachainHead } from "../../service/seals/metachain-entry.ts";
import { MAX_TRANSACTION_ITEMS, type Table } from "../../service/table/table.ts";
import { ascending } from "./trees.ts";

/** The head that entry `index` commits to. */
export const headAt = (index: number): ChainHead => ({
  chain_id: index.toString(16).padStart(32, "0"),
  head_index: 0,
  tree_size: 1,
  root: `0x${"c".repeat(64)}`,
});

export const entryBytesAt = (index: number): Uint8Array => chainHeadEntry(headAt(index));

/** Appends entries until there are `size`. */
export async function growMetachain(table: Table, size: number): Promise<void> {
  let leaf = (await readMetachainHead(table))?.leaf ?? null;
  const from = leaf === null ? 0 : leaf.leafIndex + 1;
  const items = ascending(size - from, (i) => {
    leaf = appendLeaf(leaf, hashChainHead(headAt(from + i)));
    return metachainEntryItem(headAt(from + i), leaf satisfies TreeLeaf, from + i + 1);
  });
  for (let start = 0; start < items.length; start += MAX_TRANSACTION_ITEMS) {
    const writes = items.slice(start, start + MAX_TRANSACTION_ITEMS).map((item) => ({ insert: item }));
    await table.transact(writes, randomUUID());
  }
}
