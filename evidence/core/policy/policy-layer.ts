// A wording policy layer: the texts that its maintainers hold suitable for one jurisdiction as a disclosure under
// Art. 50(1) of Regulation (EU) 2024/1689. Layers are data (evidence/policy/*.json); this file says which data is
// a layer. See docs/policy-layer.md.
import * as z from "zod";
import { utf8 } from "../bytes.ts";
import { canonicalBytes } from "../canonical-json.ts";
import { DisclosureError } from "../errors.ts";
import { DISCLOSURE_METHOD, MODALITIES } from "../formats/attestation-request.ts";
import { isCountryCode } from "../formats/iso-3166.ts";
import { PLAIN_ERRORS } from "../formats/plain-errors.ts";
import { digestSchema } from "../formats/shapes.ts";
import { formatDigest, hashBytes } from "../merkle/hash.ts";
import { hasOnlyGaps } from "./gaps.ts";

export type Modality = (typeof MODALITIES)[number];

export const WORDING_ID = /^[a-z0-9-]{1,64}$/;
const VERSION = /^\d{4}-\d{2}-\d{2}\.\d{1,4}$/;
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Z]{2})?$/;
/** Characters of a text. */
export const MAX_TEXT = 1000;
const MAX_NOTE = 200;
/** The ids of wordings that a tenant registered begin so, and no other ones do. */
export const OWN_PREFIX = "own-";

/**
 * SHA-256 of the wording's text: UTF-8 of its Unicode NFC form, and nothing else trimmed or folded.
 * NFC because ü has two spellings that no one can tell apart on a screen. Throws `malformed` on a lone surrogate,
 * which UTF-8 can't carry: all of them would encode alike, so two texts would share a digest.
 */
export function hashWording(text: string): Uint8Array {
  if (!text.isWellFormed()) throw new DisclosureError("malformed", "wording holds a lone surrogate");
  return hashBytes(utf8(text.normalize("NFC")));
}

const wordingText = z
  .string()
  .min(1)
  .max(MAX_TEXT)
  // abort: what can't be hashed must not reach the digest check.
  .refine((text) => text.isWellFormed() && text === text.normalize("NFC"), {
    error: "text is not Unicode NFC",
    abort: true,
  })
  .refine((text) => text === text.trim(), "text begins or ends with white space")
  .refine(hasOnlyGaps, "text has a brace that belongs to no gap such as {operator}");

/** The members of every wording, whoever registered it. */
export const commonShape = {
  id: z.string().regex(WORDING_ID),
  language: z.string().regex(LANGUAGE),
  modality: z.enum(MODALITIES),
  methods: z.array(z.string().regex(DISCLOSURE_METHOD)).min(1).readonly(),
  digest: digestSchema,
  approved_on: z.iso.date(),
  retired_on: z.iso.date().nullable(),
};
/** True if a wording's last day is not before its first. */
export const isInOrder = (w: { approved_on: string; retired_on: string | null }): boolean =>
  w.retired_on === null || w.retired_on >= w.approved_on;
/** A short text for readers. */
export const note = z
  .string()
  .min(1)
  .max(MAX_NOTE)
  .refine((text) => text === text.trim(), "begins or ends with white space");

const wordingSchema = z
  .strictObject({
    ...commonShape,
    text: wordingText,
    /** The situation that it is for, in a few words. */
    use: note,
    /** The provisions and guidance that it follows. */
    sources: z.array(note).min(1).readonly(),
  })
  .readonly()
  .refine((w) => w.digest === formatDigest(hashWording(w.text)), "digest is not the digest of text")
  .refine((w) => !w.id.startsWith(OWN_PREFIX), `an id that begins with ${OWN_PREFIX} is a tenant's`)
  .refine(isInOrder, "retired before it was approved");

const methodSchema = z
  .strictObject({
    id: z.string().regex(DISCLOSURE_METHOD),
    modalities: z.array(z.enum(MODALITIES)).min(1).readonly(),
    /** True where nothing but a platform's report after the conversation tells of the notice. Absent means false. */
    reported: z.boolean().optional(),
  })
  .readonly();

const legalReferenceSchema = z
  .strictObject({
    act: z.string().min(1),
    eli: z.url(),
    provisions: z.array(z.string().min(1)).min(1).readonly(),
    applicable_since: z.iso.date(),
    notes: z.array(z.string().min(1)).readonly(),
  })
  .readonly();

export const policyLayerSchema = z
  .strictObject({
    jurisdiction: z.string().refine(isCountryCode, "not an ISO 3166-1 alpha-2 code"),
    status: z.enum(["active", "in_development", "planned"]),
    version: z.string().regex(VERSION),
    legal_reference: legalReferenceSchema,
    disclosure_methods: z.array(methodSchema).readonly(),
    wordings: z.array(wordingSchema).readonly(),
  })
  .readonly()
  .refine((l) => isUnique(l.disclosure_methods.map((m) => m.id)), "two methods share an id")
  .refine((l) => isUnique(l.wordings.map((w) => w.id)), "two wordings share an id")
  // A subject_hash must name one wording, or the verdict would depend on the order of the file.
  .refine((l) => isUnique(l.wordings.map((w) => w.digest)), "two wordings share a digest")
  .refine(
    (l) => l.wordings.every((w) => isReachable(l.disclosure_methods, w)),
    "a wording names a method its modality lacks",
  )
  .refine((l) => l.status !== "active" || l.wordings.length > 0, "an active layer has no wording");

/** One approved text. `retired_on` is the last day, in UTC, on which it may be used; null while it has none. */
export type Wording = z.infer<typeof wordingSchema>;
export type PolicyLayer = z.infer<typeof policyLayerSchema>;
export type LayerStatus = PolicyLayer["status"];

/** Throws `misconfigured` with zod's issues: a layer that contradicts itself must not give a single verdict. */
export function parsePolicyLayer(data: unknown): PolicyLayer {
  const parsed = policyLayerSchema.safeParse(data, PLAIN_ERRORS);
  if (parsed.success) return parsed.data;
  throw new DisclosureError(
    "misconfigured",
    "not a policy layer",
    { issues: parsed.error.issues },
    parsed.error,
  );
}

/** Digests by layer: a layer is data that does not change, and canonical JSON of it is not free. */
const digests = new WeakMap<object, string>();

/** `sha256:` and hex of SHA-256(JCS(layer)): names the very layer that was applied. Computed once for each layer. */
export function digestOfLayer(layer: Omit<PolicyLayer, "wordings">): string {
  const digest = digests.get(layer) ?? formatDigest(hashBytes(canonicalBytes(layer)));
  digests.set(layer, digest);
  return digest;
}

const isUnique = (values: readonly string[]): boolean => new Set(values).size === values.length;

const isReachable = (methods: readonly z.infer<typeof methodSchema>[], wording: Wording): boolean =>
  wording.methods.every((id) =>
    methods.some((method) => method.id === id && method.modalities.includes(wording.modality)),
  );
