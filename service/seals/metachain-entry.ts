// An entry of the metachain as it is stored in the table: the leaf, and the chain head that it commits to.
import { METACHAIN_ID } from "../../contract/table.ts";
import { equalBytes } from "../../evidence/core/bytes.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { type ChainHead, hashChainHead } from "../../evidence/core/formats/metachain.ts";
import type { TreeLeaf } from "../../evidence/core/merkle/merkle-tree.ts";
import { Log, type LogEntry, leafAttributes, readEntry } from "../ledger/log.ts";
import { integerOf, textOf } from "../table/attributes.ts";
import type { Item } from "../table/item.ts";
import { leafKey, logPartition } from "../table/keys.ts";
import type { Table } from "../table/table.ts";

/** The newest entry, and how many receipts there are under all entries up to it. */
export interface MetachainHead {
  readonly leaf: TreeLeaf;
  readonly receiptsTotal: number;
}

/** The item of one entry. With the total a seal knows its own count without reading its entries. */
export const metachainEntryItem = (head: ChainHead, leaf: TreeLeaf, receiptsTotal: number): Item => ({
  ...leafAttributes(METACHAIN_ID, leaf),
  chain_id: { S: head.chain_id },
  head_index: { N: String(head.head_index) },
  tree_size: { N: String(head.tree_size) },
  root: { S: head.root },
  receipts_total: { N: String(receiptsTotal) },
});

/** The newest entry, checked as far as it can be: a seal over it can't be taken back. Null for an empty metachain. */
export async function readMetachainHead(table: Table): Promise<MetachainHead | null> {
  const newest = await new Log(table, METACHAIN_ID).newest();
  if (newest === null) return null;
  readChainHead(newest);
  return { leaf: newest.leaf, receiptsTotal: integerOf(newest.item, "receipts_total") };
}

/** The entries from `start` up to but not including `end`, as they are stored: what they lead to is for the caller to check. */
export async function* metachainEntries(table: Table, start: number, end: number): AsyncGenerator<LogEntry> {
  const [from, upTo] = [leafKey(METACHAIN_ID, start).sk.S, leafKey(METACHAIN_ID, end - 1).sk.S];
  for await (const items of table.pages({ partition: logPartition(METACHAIN_ID), from, upTo })) {
    yield* items.map(readEntry);
  }
}

/** The chain head that an entry commits to. Throws `ledger_corrupt` where it commits to another. */
export function readChainHead({ leaf, item }: LogEntry): ChainHead {
  const head = {
    chain_id: textOf(item, "chain_id"),
    head_index: integerOf(item, "head_index"),
    tree_size: integerOf(item, "tree_size"),
    root: textOf(item, "root"),
  };
  if (!equalBytes(hashChainHead(head), leaf.leafHash)) {
    throw new DisclosureError("ledger_corrupt", "a metachain entry does not match its leaf hash");
  }
  return head;
}
