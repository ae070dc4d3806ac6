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
import { jsonOf, textOf } from "../table/attributes.ts";
import type { Item } from "../table/item.ts";
import { type LogEntry, leafAttributes } from "./log.ts";

export interface ChainLeaf {
  readonly leaf: TreeLeaf;
  readonly core: ReceiptCore;
  readonly authentication: Authentication;
}

/** The item of one receipt. The core is stored in the very bytes that were hashed. */
export const chainLeafItem = ({ leaf, core, authentication }: ChainLeaf, transaction: string): Item => ({
  ...leafAttributes(core.chain_id, leaf),
  receipt_core: { S: canonicalize(core) },
  key_id: { S: authentication.key_id },
  signature: { S: authentication.signature },
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
  return { leaf, core, authentication: { auth_mechanism: AUTH_MECHANISM, key_id, signature } };
}

/** The receipt as the interface shows it. */
export const formatReceipt = ({ core, authentication }: ChainLeaf): Receipt => ({
  ...core,
  ...authentication,
});
