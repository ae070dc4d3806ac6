// The evidence bundle: every receipt of one conversation in order, with all that is needed to check them offline.
import * as z from "zod";
import { attestationRequestSchema, interactionIdSchema } from "./attestation-request.ts";
import { evidenceChainSchema, merkleProofSchema } from "./compliance-receipt.ts";
import { sealSchema, tsaTimestampSchema } from "./metachain.ts";
import { authenticationSchema, receiptSchema } from "./receipt.ts";
import { indexSchema, MAX_LIST_LENGTH, sizeSchema } from "./shapes.ts";

const bundledProofSchema = z.object({
  event_id: z.uuid(),
  evidence_chain: evidenceChainSchema,
  merkle_proof: merkleProofSchema,
});

const laterTimestampSchema = z.object({ seal_index: indexSchema, tsa_timestamp: tsaTimestampSchema });

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
    next_turn: sizeSchema.nullable().describe("Where the next page begins (?from_turn=), or null at the end"),
    ...authenticationSchema.shape,
  })
  .meta({ id: "EvidenceBundle" });

export type LaterTimestamp = z.infer<typeof laterTimestampSchema>;
export type EvidenceBundle = z.infer<typeof evidenceBundleSchema>;
