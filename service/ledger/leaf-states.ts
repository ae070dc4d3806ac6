// A receipt's leaf may say two things beside the core that it hashes: that its conversation was erased, or that it was
// removed under retention, and then its core is gone. Neither is hashed: both are the operator's word.
import * as z from "zod";
import { MAX_RETENTION_MONTHS, MIN_RETENTION_MONTHS } from "../../contract/limits.ts";
import { canonicalize } from "../../evidence/core/canonical-json.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { type Erasure, erasureSchema } from "../../evidence/core/formats/erasure.ts";
import { instantSchema, sizeSchema } from "../../evidence/core/formats/shapes.ts";
import { jsonOf } from "../table/attributes.ts";
import type { Item } from "../table/item.ts";

/** The names of the two attributes, short as those of every leaf. */
export const ERASURE = "e";
export const REMOVAL = "x";

export const leafErasureSchema = erasureSchema.extend({
  /** The random id under which the conversation is found since. */
  interaction_id: z.string(),
});
export type LeafErasure = z.infer<typeof leafErasureSchema>;

export const removalSchema = z.object({
  removed_at: instantSchema,
  months: sizeSchema
    .min(MIN_RETENTION_MONTHS)
    .max(MAX_RETENTION_MONTHS)
    .describe("The tenant's retention at that time"),
});
export type Removal = z.infer<typeof removalSchema>;

export const erasureAttribute = (erasure: LeafErasure): Item => ({
  [ERASURE]: { S: canonicalize(erasure) },
});

export const removalAttribute = (removal: Removal): Item => ({ [REMOVAL]: { S: canonicalize(removal) } });

/** Null where the conversation was not erased. Throws `ledger_corrupt`. */
export const readLeafErasure = (item: Item): LeafErasure | null =>
  item[ERASURE] === undefined ? null : jsonOf(item, ERASURE, leafErasureSchema);

/** The tombstone as reports show it, without the conversation's new id. */
export function readErasure(item: Item): Erasure | null {
  const erasure = readLeafErasure(item);
  if (erasure === null) return null;
  const { erased_at, erased_by, ground } = erasure;
  return { erased_at, erased_by, ground };
}

/** Null where the receipt was not removed. Throws `ledger_corrupt`. */
export const readRemoval = (item: Item): Removal | null =>
  item[REMOVAL] === undefined ? null : jsonOf(item, REMOVAL, removalSchema);

/** The start (UTC) of the month that is `months` before the current one, as `issued_at` is written. */
export const cutoffOf = (now: Date, months: number): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months)).toISOString();

/** The first instant that retention left alone when it removed a receipt: the beginning of a month. */
export const issuedBefore = ({ removed_at, months }: Removal): string =>
  cutoffOf(new Date(removed_at), months);

export function receiptRemoved({ removed_at, months }: Removal): DisclosureError {
  const message = `the receipt was removed on ${removed_at.slice(0, "YYYY-MM-DD".length)}: the tenant keeps receipts for ${months} months`;
  return new DisclosureError("receipt_removed", message, { removed_at, months });
}
