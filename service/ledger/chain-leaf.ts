// A receipt as it is stored in its chain: the leaf, the core that it hashes, and its authentication.
import { PARTITION_KEY } from "../../contract/table.ts";
import { equalBytes, formatBase64, parseBase64, utf8 } from "../../evidence/core/bytes.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import {
  AUTH_MECHANISM,
  type Authentication,
  inFormatOrder,
  leafOfText,
  RECEIPT_LEAF_BYTES,
  type Receipt,
  type ReceiptCore,
} from "../../evidence/core/formats/receipt.ts";
import { hashLeaf } from "../../evidence/core/merkle/hash.ts";
import type { TreeLeaf } from "../../evidence/core/merkle/merkle-tree.ts";
import { binaryOf, bytesOf, integerOf, textOf } from "../table/attributes.ts";
import type { Item } from "../table/item.ts";
import { logIdOf } from "../table/keys.ts";
import { decodeCore, decodeKeyId, encodeCore, encodeKeyId, encodeToken } from "./leaf-codec.ts";
import {
  ERASURE,
  REMOVAL,
  type Removal,
  readRemoval,
  receiptRemoved,
  removalAttribute,
} from "./leaf-states.ts";
import { type LogEntry, leafAttributes } from "./log.ts";
import type { StampedSeal } from "./stamped-seal.ts";

export interface ChainLeaf {
  readonly leaf: TreeLeaf;
  readonly core: ReceiptCore;
  readonly authentication: Authentication;
  /** The seal that `recorded_after` names, and where its record is in the table. */
  readonly stampedSeal: StampedSeal | null;
}

/** The names of a receipt's attributes beside those of every leaf; short as those are. */
export const RECEIPT_CORE = "c";
export const KEY_ID = "k";
export const SIGNATURE = "s";
const RECORDED_AFTER_SIZE = "r";
const TRANSACTION = "t";

/** Of a receipt that was removed: its leaf, which the chain's history shows. Of any other it follows from the core. */
export const REMOVED_LEAF = "l";

/** All that `readReceiptLeaf` needs beside the attributes of every leaf. */
export const RECEIPT_LEAF_ATTRIBUTES = [RECEIPT_CORE, REMOVAL, REMOVED_LEAF];

/** Retention takes these from a leaf's item. The hash and left path stay, so that every proof over the leaf holds. */
export const RECEIPT_ATTRIBUTES = [
  RECEIPT_CORE,
  KEY_ID,
  SIGNATURE,
  RECORDED_AFTER_SIZE,
  TRANSACTION,
  ERASURE,
];

const MAC_BYTES = 32;

/** The item of one receipt. The very bytes that were hashed come back from it. */
export const chainLeafItem = (
  { leaf, core, authentication, stampedSeal }: ChainLeaf,
  transaction: string,
): Item => ({
  ...leafAttributes(core.chain_id, leaf),
  [RECEIPT_CORE]: { B: encodeCore(core, { chainId: core.chain_id, ...leaf }) },
  [KEY_ID]: { B: encodeKeyId(authentication.key_id, core.issued_at) },
  [SIGNATURE]: { B: parseBase64(authentication.signature) },
  // With it, a report finds the seal by its key. No proof rests on it: what is found there must have the seal's hash.
  ...(stampedSeal !== null && { [RECORDED_AFTER_SIZE]: { N: String(stampedSeal.fromSize) } }),
  // Two processes can plan the very same leaf in one millisecond; only this tells which of them wrote it.
  [TRANSACTION]: { B: encodeToken(transaction) },
});

/** True of an item that the transaction with this token wrote. */
export const isWrittenBy = (item: Item, transaction: string): boolean =>
  equalBytes(item[TRANSACTION]?.B ?? Uint8Array.of(), encodeToken(transaction));

/** Null where its core is there, or is missing without a note, which is damage. */
export const removalOf = ({ item }: LogEntry): Removal | null =>
  item[RECEIPT_CORE] === undefined ? readRemoval(item) : null;

/**
 * Reads an item back. Throws `ledger_corrupt` where the core is not what the leaf hash says, and `receipt_removed` where
 * it is gone under retention. A chain's newest leaf is never removed, so an append does not meet this.
 */
export function readChainLeaf(entry: LogEntry): ChainLeaf {
  const { leaf, item } = entry;
  const removal = removalOf(entry);
  if (removal !== null) throw receiptRemoved(removal);
  const { core } = readCore(entry);
  const key_id = decodeKeyId(binaryOf(item, KEY_ID), core.issued_at);
  const signature = formatBase64(bytesOf(item, SIGNATURE, MAC_BYTES));
  const authentication = { auth_mechanism: AUTH_MECHANISM, key_id, signature } as const;
  return { leaf, core, authentication, stampedSeal: readStampedSeal(core, item) };
}

/** The 64 bytes that a receipt's leaf hash is over, also of a receipt that was removed. Throws `ledger_corrupt`. */
export function readReceiptLeaf(entry: LogEntry): Uint8Array {
  if (removalOf(entry) === null) return readCore(entry).receiptLeaf;
  const receiptLeaf = bytesOf(entry.item, REMOVED_LEAF, RECEIPT_LEAF_BYTES);
  requireHashOf(receiptLeaf, entry.leaf);
  return receiptLeaf;
}

/** What retention leaves of a receipt beside the attributes of every leaf. Throws `ledger_corrupt`. */
export const removedAttributes = (entry: LogEntry, removal: Removal): Item => ({
  ...removalAttribute(removal),
  [REMOVED_LEAF]: { B: readReceiptLeaf(entry) },
});

function readCore({ leaf, item }: LogEntry): {
  readonly core: ReceiptCore;
  readonly receiptLeaf: Uint8Array;
} {
  const chainId = logIdOf(textOf(item, PARTITION_KEY));
  const { core, text } = decodeCore(binaryOf(item, RECEIPT_CORE), { chainId, ...leaf });
  const receiptLeaf = leafOfText(utf8(text), core);
  requireHashOf(receiptLeaf, leaf);
  return { core, receiptLeaf };
}

function requireHashOf(receiptLeaf: Uint8Array, { leafHash }: TreeLeaf): void {
  if (equalBytes(hashLeaf(receiptLeaf), leafHash)) return;
  throw new DisclosureError("ledger_corrupt", "a receipt core does not match its leaf hash");
}

const readStampedSeal = ({ recorded_after: recordedAfter }: ReceiptCore, item: Item): StampedSeal | null =>
  recordedAfter && { recordedAfter, fromSize: integerOf(item, RECORDED_AFTER_SIZE) };

/** The receipt as the interface shows it. */
export const formatReceipt = ({ core, authentication }: ChainLeaf): Receipt => ({
  ...inFormatOrder(core),
  ...authentication,
});
