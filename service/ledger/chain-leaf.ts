// A receipt as it is stored in its chain: the leaf, the core that it hashes, and its authentication.
import { equalBytes } from "../../core/bytes.ts";
import { canonicalize } from "../../core/canonical-json.ts";
import { DisclosureError } from "../../core/errors.ts";
import {
  AUTH_MECHANISM,
  type Authentication,
  hashReceiptCore,
  type Receipt,
  type ReceiptCore,
  receiptCoreSchema,
} from "../../core/formats/receipt.ts";
import type { TreeLeaf } from "../../core/merkle/merkle-tree.ts";
import { integerOf, jsonOf, textOf } from "../table/attributes.ts";
import type { Item } from "../table/item.ts";
import { type LogEntry, leafAttributes } from "./log.ts";
import type { StampedSeal } from "./stamped-seal.ts";

export interface ChainLeaf {
  readonly leaf: TreeLeaf;
  readonly core: ReceiptCore;
  readonly authentication: Authentication;
  /** The seal that `recorded_after` names, and where its record is in the table. */
  readonly stampedSeal: StampedSeal | null;
}

/** The item of one receipt. The core is stored in the very bytes that were hashed. */
export const chainLeafItem = (
  { leaf, core, authentication, stampedSeal }: ChainLeaf,
  transaction: string,
): Item => ({
  ...leafAttributes(core.chain_id, leaf),
  receipt_core: { S: canonicalize(core) },
  key_id: { S: authentication.key_id },
  signature: { S: authentication.signature },
  // With it, a report finds the seal by its key. No proof rests on it: what is found there must have the seal's hash.
  ...(stampedSeal !== null && { recorded_after_size: { N: String(stampedSeal.fromSize) } }),
  // Two processes can plan the very same leaf in one millisecond; only this tells which of them wrote it.
  transaction: { S: transaction },
});

/** Reads an item back. Throws `ledger_corrupt` where the core is not what the leaf hash says. */
export function readChainLeaf({ leaf, item }: LogEntry): ChainLeaf {
  const core = jsonOf(item, "receipt_core", receiptCoreSchema);
  if (!equalBytes(hashReceiptCore(core), leaf.leafHash)) {
    throw new DisclosureError("ledger_corrupt", "a receipt core does not match its leaf hash");
  }
  const [key_id, signature] = [textOf(item, "key_id"), textOf(item, "signature")];
  const authentication = { auth_mechanism: AUTH_MECHANISM, key_id, signature } as const;
  return { leaf, core, authentication, stampedSeal: readStampedSeal(core, item) };
}

const readStampedSeal = ({ recorded_after: recordedAfter }: ReceiptCore, item: Item): StampedSeal | null =>
  recordedAfter && { recordedAfter, fromSize: integerOf(item, "recorded_after_size") };

/** The receipt as the interface shows it. */
export const formatReceipt = ({ core, authentication }: ChainLeaf): Receipt => ({
  ...core,
  ...authentication,
});
