// What an insider plants in the table, past the service: entries of the metachain, spans, and receipts without codes.

import { formatEventId } from "../../evidence/core/formats/event-id.ts";
import { type ChainHead, hashChainHead } from "../../evidence/core/formats/metachain.ts";
import { hashReceiptCore } from "../../evidence/core/formats/receipt.ts";
import { formatDigest, formatNode } from "../../evidence/core/merkle/hash.ts";
import { appendLeaf, rootAt } from "../../evidence/core/merkle/merkle-tree.ts";
import { chainLeafItem, readChainLeaf } from "../../service/ledger/chain-leaf.ts";
import { Log } from "../../service/ledger/log.ts";
import { metachainEntryItem, readMetachainHead } from "../../service/seals/metachain-entry.ts";
import { spanItem } from "../../service/seals/span.ts";
import type { Table } from "../../service/table/table.ts";
import type { Ledger } from "./ledger-stack.ts";
import { writeItem } from "./tamper.ts";

const TRANSACTION = "00000000-0000-4000-8000-000000000000";
const ZEROS = Buffer.alloc(32).toString("base64");

/** The root of the chain's own receipts, all of them. */
export async function rootOf(ledger: Ledger, chainId: string): Promise<string> {
  const newest = await new Log(ledger.newProcess().table, chainId).newest();
  if (newest === null) throw new Error("the chain is empty");
  return formatNode(rootAt(newest.leaf));
}

/** An entry behind the newest one, with right hash and left path, that counts `receipts` more; and its place. */
export async function entryBehind(table: Table, head: ChainHead, receipts = 1) {
  const newest = await readMetachainHead(table);
  const leaf = appendLeaf(newest?.leaf ?? null, hashChainHead(head));
  const item = metachainEntryItem(head, leaf, (newest?.receiptsTotal ?? 0) + receipts);
  return { item, place: leaf.leafIndex };
}

/** Puts such an entry there. Returns its place. */
export async function plantEntry(ledger: Ledger, head: ChainHead, receipts = 1): Promise<number> {
  const { item, place } = await entryBehind(ledger.newProcess().table, head, receipts);
  await writeItem(ledger, item);
  return place;
}

/** Puts the span that claims the head at this place. */
export async function plantSpan(
  ledger: Ledger,
  head: ChainHead,
  { fromSize, leafIndex }: { readonly fromSize: number; readonly leafIndex: number },
): Promise<void> {
  const { chain_id, head_index: headIndex, tree_size: treeSize } = head;
  await writeItem(ledger, spanItem(chain_id, { headIndex, fromSize, treeSize, leafIndex }));
}

/** Puts receipts behind the newest of a chain, like it and linked to it, with codes of zeros. */
export async function plantReceipts(ledger: Ledger, chainId: string, count: number): Promise<void> {
  const entry = await new Log(ledger.newProcess().table, chainId).newest();
  if (entry === null) throw new Error("the chain has no receipt to follow");
  let newest = readChainLeaf(entry);
  for (let i = 0; i < count; i++) {
    const sequence = newest.leaf.leafIndex + 1;
    const event_id = formatEventId(chainId, { shard: 0, sequence });
    const core = { ...newest.core, sequence, event_id, previous_hash: formatDigest(newest.leaf.leafHash) };
    const leaf = appendLeaf(newest.leaf, hashReceiptCore(core));
    newest = { ...newest, core, leaf, authentication: { ...newest.authentication, signature: ZEROS } };
    await writeItem(ledger, chainLeafItem(newest, TRANSACTION));
  }
}
