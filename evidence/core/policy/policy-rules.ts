// The rules that a verdict is made from. Every reader takes them out of a layer that it holds. They need no texts, and a
// layer may have more members than this program knows: its digest is over all of them.
import * as z from "zod";
import { canonicalBytes } from "../canonical-json.ts";
import { DisclosureError } from "../errors.ts";
import { MODALITIES } from "../formats/attestation-request.ts";
import { formatDigest, hashBytes } from "../merkle/hash.ts";

const ruledWordingSchema = z.object({
  id: z.string(),
  modality: z.enum(MODALITIES),
  methods: z.array(z.string()).readonly(),
  digest: z.string(),
  approved_on: z.iso.date(),
  retired_on: z.iso.date().nullable(),
});

const rulesSchema = z.object({
  jurisdiction: z.string(),
  status: z.enum(["active", "in_development", "planned"]),
  version: z.string(),
  disclosure_methods: z
    .array(
      z.object({
        id: z.string(),
        modalities: z.array(z.enum(MODALITIES)).readonly(),
        reported: z.boolean().optional(),
      }),
    )
    .readonly(),
  wordings: z.array(ruledWordingSchema).readonly(),
});

export type LayerRules = z.infer<typeof rulesSchema>;
export type PolicyRules = Readonly<LayerRules> & {
  /** The digest of the layer that they are from, `sha256:` and hex. */
  readonly digest: string;
};

/** The rules in a layer as it came, with its digest. Throws `malformed` for what is no layer. */
export function readRules(layer: unknown): PolicyRules {
  const { data, error } = rulesSchema.safeParse(layer);
  if (data === undefined)
    throw new DisclosureError("malformed", "this is no wording policy layer", {}, error);
  return { ...data, digest: formatDigest(hashBytes(canonicalBytes(layer))) };
}
