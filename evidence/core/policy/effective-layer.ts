// A tenant's own wordings, and the layer that they make together with the one of the jurisdiction.
import * as z from "zod";
import { isCountryCode } from "../formats/iso-3166.ts";
import {
  commonShape,
  digestOfLayer,
  isInOrder,
  note,
  OWN_PREFIX,
  type PolicyLayer,
  WORDING_ID,
  type Wording,
} from "./policy-layer.ts";

/** A tenant registers so many wordings at most; the layers that they are part of stay small enough to be read whole. */
export const MAX_OWN_WORDINGS = 100;
const RANDOM_ID = /^[0-9a-f]{32}$/;

/** A wording that a tenant registered by its digest: no layer has its text. */
export const ownWordingSchema = z
  .strictObject({
    ...commonShape,
    /** A role or a department. It is published, so it is never a person's name. */
    approved_by: note,
    /** The id of the wording with gaps that was filled; null for a text of the tenant's own. */
    template: z.string().regex(WORDING_ID).nullable(),
  })
  .readonly()
  .refine((w) => w.id.startsWith(OWN_PREFIX), `the id must begin with ${OWN_PREFIX}`)
  .refine(isInOrder, "retired before it was approved");

export type OwnWording = z.infer<typeof ownWordingSchema>;

const registeredSchema = z.strictObject({
  jurisdiction: z.string().refine(isCountryCode, "not an ISO 3166-1 alpha-2 code"),
  wording: ownWordingSchema,
});

/** All wordings that a tenant registered. `id` is random and new with each change: nobody can guess the layer's digest. */
export const ownWordingsSchema = z
  .strictObject({
    id: z.string().regex(RANDOM_ID),
    registered: z.array(registeredSchema).max(MAX_OWN_WORDINGS).readonly(),
  })
  .readonly()
  .refine(
    ({ registered }) => isUnique(registered.map(({ wording }) => wording.id)),
    "two wordings share an id",
  )
  .refine(
    ({ registered }) => isUnique(registered.map((entry) => `${entry.jurisdiction} ${entry.wording.digest}`)),
    "two wordings of a jurisdiction share a digest",
  );

export type OwnWordings = z.infer<typeof ownWordingsSchema>;

/** A layer with a tenant's wordings after its own: which layer that was, and what makes the digest unguessable. */
export type EffectiveLayer = Omit<PolicyLayer, "wordings"> & {
  readonly wordings: readonly (Wording | OwnWording)[];
  readonly additions?: { readonly base: string; readonly id: string };
};

/**
 * The layer with the tenant's wordings of its jurisdiction; the layer itself where the tenant has none. The same input
 * gives the same layer. About a digest that it has already, the layer itself decides.
 */
export function composeLayer(layer: PolicyLayer, { id, registered }: OwnWordings): EffectiveLayer {
  const known = new Set(layer.wordings.map(({ digest }) => digest));
  const added = registered
    .filter(({ jurisdiction, wording }) => jurisdiction === layer.jurisdiction && !known.has(wording.digest))
    .map(({ wording }) => wording);
  if (added.length === 0) return layer;
  const additions = { base: digestOfLayer(layer), id };
  return { ...layer, wordings: [...layer.wordings, ...added], additions };
}

const isUnique = (values: readonly string[]): boolean => new Set(values).size === values.length;
