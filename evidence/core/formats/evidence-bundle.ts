// The evidence bundle: every receipt of one conversation in order, with all that is needed to check them offline.
import * as z from "zod";
import { attestationRequestSchema, interactionIdSchema } from "./attestation-request.ts";
import { evidenceChainSchema, merkleProofSchema } from "./compliance-receipt.ts";
import { erasureSchema } from "./erasure.ts";
import { sealSchema, tsaTimestampSchema } from "./metachain.ts";
import { answerAuthenticationSchema, receiptSchema } from "./receipt.ts";
import { chainIdSchema, indexSchema, MAX_LIST_LENGTH, pathSchema, sizeSchema } from "./shapes.ts";

/** A page names few layers: a tenant changes its wordings seldom. What is beyond that is fetched by its digest. */
export const MAX_BUNDLED_LAYERS = 16;

const bundledProofSchema = z.object({
  event_id: z.uuid(),
  evidence_chain: evidenceChainSchema,
  merkle_proof: merkleProofSchema,
});

const laterTimestampSchema = z.object({ seal_index: indexSchema, tsa_timestamp: tsaTimestampSchema });

const chainConsistencySchema = z.object({
  chain_id: chainIdSchema,
  from_size: sizeSchema,
  to_size: sizeSchema,
  path: pathSchema.describe("RFC 9162 section 2.1.4 path between the chain's trees of these sizes"),
});
export type ChainConsistency = z.infer<typeof chainConsistencySchema>;

export const evidenceBundleSchema = z
  .object({
    interaction_id: interactionIdSchema,
    receipts: z.array(receiptSchema).max(MAX_LIST_LENGTH).describe("In the order of their turns"),
    requests: z
      .array(attestationRequestSchema.nullable())
      .max(MAX_LIST_LENGTH)
      .describe("The request behind each receipt, in the same order; null where it was erased"),
    proofs: z
      .array(bundledProofSchema)
      .max(MAX_LIST_LENGTH)
      .describe("The proofs of each receipt as of now, in the same order"),
    seals: z
      .array(sealSchema)
      .max(MAX_LIST_LENGTH)
      .describe(
        "The seals that the proofs lead to, and those that the receipts were recorded after, with their timestamps",
      ),
    later_timestamps: z
      .array(laterTimestampSchema)
      .max(MAX_LIST_LENGTH)
      .optional()
      .describe("Tokens over the roots of these seals that came after they were published"),
    chain_consistency: z
      .array(chainConsistencySchema)
      .max(MAX_LIST_LENGTH)
      .optional()
      .describe(
        "The paths between the sealed heads that the proofs lead to, and from that of the turn before these",
      ),
    policy_layers: z
      .array(z.looseObject({}))
      .max(MAX_BUNDLED_LAYERS)
      .optional()
      .describe("The wording policy layers that the receipts name by digest, each once"),
    erasures: z
      .array(erasureSchema.nullable())
      .max(MAX_LIST_LENGTH)
      .optional()
      .describe(
        "When and why the request behind each receipt was erased, in the same order; null where it was not",
      ),
    next_turn: sizeSchema.nullable().describe("Where the next page begins (?from_turn=), or null at the end"),
    ...answerAuthenticationSchema.shape,
  })
  .meta({ id: "EvidenceBundle" });

export type LaterTimestamp = z.infer<typeof laterTimestampSchema>;
export type EvidenceBundle = z.infer<typeof evidenceBundleSchema>;
