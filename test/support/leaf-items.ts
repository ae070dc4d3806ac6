// Leaves of chains for tests that damage or forge them: what an item holds in its short form, and the item with another.

import type { ReceiptCore } from "../../evidence/core/formats/receipt.ts";
import { decodeCore, encodeCore, type LeafPlace } from "../../service/ledger/leaf-codec.ts";
import { bytes, type Item, text } from "./items.ts";

/** The attributes of every leaf, and those of a receipt's, as the table has them. */
export const LEAF_HASH = "h";
export const LEFT_PATH = "p";
export const CORE = "c";
export const KEY_ID = "k";
export const SIGNATURE = "s";

const HASH_BYTES = 32;

const placeOf = (item: Item): LeafPlace => {
  const path = bytes(item, LEFT_PATH);
  return {
    chainId: text(item, "pk").replace("chain#", ""),
    leafIndex: Number(text(item, "sk").replace("leaf#", "")),
    leftPath: Array.from({ length: path.length / HASH_BYTES }, (_, i) =>
      path.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES),
    ),
  };
};

export const coreIn = (item: Item): ReceiptCore => decodeCore(bytes(item, CORE), placeOf(item)).core;

/** The item with this core. All else stays, its leaf hash as well. */
export const withCore = (item: Item, core: ReceiptCore): Item => ({
  ...item,
  [CORE]: { B: encodeCore(core, placeOf(item)) },
});
