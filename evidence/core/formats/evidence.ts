// The evidence that a verifier reads: a receipt with its proof or a part of it, or a bundle. Receipts, requests and
// policy layers are taken as they came, because they are judged by their hashes.
import * as z from "zod";
import { evidenceChainSchema, merkleProofSchema } from "./compliance-receipt.ts";
import { erasureSchema } from "./erasure.ts";
import { evidenceBundleSchema, MAX_BUNDLED_LAYERS } from "./evidence-bundle.ts";
import { logCheckpointSchema, logSignedRootSchema, sealSchema, tsaTimestampSchema } from "./metachain.ts";
import { renewalSchema } from "./renewal.ts";
import { MAX_LIST_LENGTH } from "./shapes.ts";

/** An object as it came. A record would lose a member called `__proto__`, and so hash another receipt. */
export const untouchedObject = z
  .unknown()
  .refine(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    "must be an object",
  )
  .meta({ type: "object" })
  .transform((value) => value as Record<string, unknown>);

/** The members by which a file is known: of a receipt, report or proof; of a bundle; of a published root. */
const KIND_MEMBERS = ["merkle_proof", "proofs", "consistency_path"] as const;

/** The kinds of evidence that an object could be read as. A file is of one kind: see docs/receipt-format.md. */
export const kindMembersOf = (value: object): readonly (typeof KIND_MEMBERS)[number][] =>
  KIND_MEMBERS.filter((name) => Object.hasOwn(value, name));

/** A proof, with or without its receipt. */
export const evidenceSchema = z
  .object({
    merkle_proof: merkleProofSchema,
    event_id: z.unknown().optional(),
    receipts: z.array(untouchedObject).length(1).optional(),
    evidence_chain: evidenceChainSchema.optional(),
    tsa_timestamp: tsaTimestampSchema.optional(),
    recorded_after_seal: sealSchema.nullable().optional(),
    log_checkpoint: logCheckpointSchema.nullable().optional(),
    log_signed_root: logSignedRootSchema.nullable().optional(),
    renewal: renewalSchema.optional(),
    erasure: erasureSchema.optional(),
  })
  .meta({ id: "Evidence" });

export type ReceiptEvidence = z.infer<typeof evidenceSchema>;

/** A bundle, its receipts, requests and policy layers as they came. */
export const bundleEvidenceSchema = evidenceBundleSchema
  .pick({
    interaction_id: true,
    proofs: true,
    seals: true,
    later_timestamps: true,
    chain_consistency: true,
    erasures: true,
  })
  .extend({
    receipts: z.array(untouchedObject).min(1).max(MAX_LIST_LENGTH),
    requests: z.array(z.unknown()).max(MAX_LIST_LENGTH),
    policy_layers: z.array(untouchedObject).max(MAX_BUNDLED_LAYERS).optional(),
  })
  .refine(
    ({ receipts, requests, proofs }) =>
      receipts.length === requests.length && receipts.length === proofs.length,
    "must have as many requests and proofs as receipts",
  )
  .refine(
    ({ receipts, erasures }) => erasures === undefined || erasures.length === receipts.length,
    "must have as many erasures as receipts, or none",
  )
  // Two readers could each take another of two seals with one index.
  .refine(
    ({ seals }) => seals.every(({ index }, i) => index > (seals[i - 1]?.index ?? -1)),
    "must have its seals in the order of their index, each once",
  );

export type BundleEvidence = z.infer<typeof bundleEvidenceSchema>;
