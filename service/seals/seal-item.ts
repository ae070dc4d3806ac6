// A seal as an item of the table: the metachain's tree when it was sealed, and how far publishing has come.
import { canonicalize } from "../../evidence/core/canonical-json.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import {
  type Seal,
  sealSchema,
  type TsaTimestamp,
  tsaTimestampSchema,
} from "../../evidence/core/formats/metachain.ts";
import { integerOf, jsonOf, textOf } from "../table/attributes.ts";
import type { Item } from "../table/item.ts";
import { type ItemKey, SEALS_PARTITION, spanKey } from "../table/keys.ts";

/** A seal before its timestamps. */
const sealedTreeSchema = sealSchema.omit({ tsa_timestamp: true, additional_timestamps: true });
export type SealedTree = Omit<Seal, "tsa_timestamp" | "additional_timestamps">;
const laterSchema = tsaTimestampSchema.array();

/** A seal with its timestamps, and the exact bytes in which it is published. */
export interface FinalSeal {
  readonly seal: Seal;
  readonly text: string;
}

export interface SealRecord {
  readonly tree: SealedTree;
  readonly receiptsTotal: number;
  /** Null until its tokens were gathered. */
  readonly final: FinalSeal | null;
  /** Tokens that came later, in the order in which they are published next to the seal. */
  readonly later: readonly TsaTimestamp[];
  /** True once root and head are public. Until then no report may point at this seal. */
  readonly isPublished: boolean;
}

/** A seal continues at the size where the one before it ended. */
export const sealKey = ({ previous_tree_size }: SealedTree): ItemKey =>
  spanKey(SEALS_PARTITION, previous_tree_size);

export const sealItem = (tree: SealedTree, receiptsTotal: number): Item => ({
  ...sealKey(tree),
  tree: { S: JSON.stringify(tree) },
  receipts_total: { N: String(receiptsTotal) },
});

/** Throws `ledger_corrupt` where the text is not what was sealed, and for a seal that is not of its place. */
export function readSeal(item: Item): SealRecord {
  const tree = jsonOf(item, "tree", sealedTreeSchema);
  if (textOf(item, "sk") !== sealKey(tree).sk.S)
    throw new DisclosureError("ledger_corrupt", "a seal is not of its place");
  const isPublished = item.published?.BOOL === true;
  const isFinal = isPublished || item.text !== undefined;
  const final = isFinal ? readFinal(item, tree) : null;
  const later = item.later === undefined ? [] : jsonOf(item, "later", laterSchema);
  return { tree, receiptsTotal: integerOf(item, "receipts_total"), final, later, isPublished };
}

/** The seal as it was frozen. A published seal can't be taken back, so it is compared with what was sealed first. */
export function readFinal(item: Item, tree: SealedTree): FinalSeal {
  const seal = jsonOf(item, "text", sealSchema);
  const { tsa_timestamp: _tsa, additional_timestamps: _additional, ...sealed } = seal;
  if (canonicalize(sealed) !== canonicalize(tree)) {
    throw new DisclosureError("ledger_corrupt", "the text of a seal is not what was sealed");
  }
  return { seal, text: textOf(item, "text") };
}
