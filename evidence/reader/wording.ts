// The wording behind a digest, from the layers that a reader has. A layer's text is shown only if it has the digest.
import * as z from "zod";
import { isDisclosureError } from "../core/errors.ts";
import { formatDigest } from "../core/merkle/hash.ts";
import { fitsGaps } from "../core/policy/gaps.ts";
import { hashWording, MAX_TEXT } from "../core/policy/policy-layer.ts";
import { type KnownLayers, namedLayer } from "../core/verify/verify-policy.ts";
import { policyLayers } from "../policy/index.ts";

/** A wording as a reader shows it. Plain data, since examinations are posted between threads. */
export interface ShownWording {
  readonly id: string;
  readonly language: string;
  /** Null for a wording that a tenant registered by its digest. */
  readonly text: string | null;
  /** The role that approved it; null for a wording of the layer's maintainers. */
  readonly approvedBy: string | null;
  /** The wording with gaps that was filled: its id, and its text where the layer has it. */
  readonly template: { readonly id: string; readonly text: string | null } | null;
}

/** The members that are shown. No rule of a verdict needs them, so they are read apart, and most may be malformed. */
const shownSchema = z.object({
  id: z.string(),
  digest: z.string(),
  language: z.string().catch(""),
  text: z.string().max(MAX_TEXT).nullable().catch(null),
  approved_by: z.string().nullable().catch(null),
  template: z.string().nullable().catch(null),
});
const layerSchema = z.object({ wordings: z.array(shownSchema) });
type Listed = z.infer<typeof shownSchema>;

/** A layer is read once, however many receipts name it. */
const read = new WeakMap<object, readonly Listed[]>();

/** Null for a digest that no layer which this program was built with has. */
export const shippedWording = (digest: string): ShownWording | null =>
  policyLayers.map((layer) => wordingIn(layer, digest)).find((wording) => wording !== null) ?? null;

/** The wording of a receipt, as it came: from the layer that it names, or else from any that this program knows. */
export function wordingOfReceipt(receipt: object, layers: KnownLayers): ShownWording | null {
  const { disclosure } = receipt as { disclosure?: { subject_hash?: unknown } | null };
  const digest = disclosure?.subject_hash;
  if (typeof digest !== "string") return null;
  const found = layers.get(namedLayer(receipt) ?? "");
  const own = found !== undefined && "layer" in found ? wordingIn(found.layer, digest) : null;
  return own ?? shippedWording(digest);
}

/** The wording of a layer, as it came, that has this digest; null where there is none. */
export function wordingIn(layer: unknown, digest: string): ShownWording | null {
  const wordings = wordingsOf(layer);
  const listed = wordings.find((wording) => wording.digest === digest);
  if (listed === undefined) return null;
  const { id, language, approved_by: approvedBy, template } = listed;
  const base = wordings.find((wording) => wording.id === template);
  const shownTemplate =
    template === null ? null : { id: template, text: base === undefined ? null : textOf(base) };
  return { id, language, text: textOf(listed), approvedBy, template: shownTemplate };
}

function wordingsOf(layer: unknown): readonly Listed[] {
  if (typeof layer !== "object" || layer === null) return [];
  const listed = read.get(layer) ?? layerSchema.safeParse(layer).data?.wordings ?? [];
  read.set(layer, listed);
  return listed;
}

/** The text of a wording, if it has the wording's digest: a layer may say anything. */
const textOf = ({ text, digest }: Listed): string | null =>
  text !== null && isTextOf(text, digest) ? text : null;

/** True if the wording rules had no remark on the disclosure. */
export const isInOrder = (receipt: { readonly verdict?: unknown }): boolean => receipt.verdict === "ALLOW";

/** True if a text that somebody has is the one with this digest. A lone surrogate is in no text that was hashed. */
export function isTextOf(text: string, digest: string): boolean {
  try {
    return formatDigest(hashWording(text)) === digest;
  } catch (error) {
    if (!isDisclosureError(error, "malformed")) throw error;
    return false;
  }
}

/** True if a text that somebody has is this text of a layer with its gaps filled. */
export const isFilledFrom = (text: string, template: string): boolean =>
  text.length <= MAX_FILLED && text.isWellFormed() && fitsGaps(text.normalize("NFC"), template);

/** Names make a text a little longer. Characters. */
const MAX_FILLED = 2 * MAX_TEXT;
