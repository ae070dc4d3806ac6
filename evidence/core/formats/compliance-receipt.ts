// The compliance receipt: the whole answer to an attestation, and later its report (docs/receipt-format.md).
import * as z from "zod";
import { ROOT_ROUTE } from "../../../contract/metachain-paths.ts";
import { erasureSchema } from "./erasure.ts";
import {
  chainHeadSchema,
  logCheckpointSchema,
  logSignedRootSchema,
  sealSchema,
  tsaTimestampSchema,
} from "./metachain.ts";
import { answerAuthenticationSchema, receiptSchema } from "./receipt.ts";
import { renewalSchema } from "./renewal.ts";
import { chainIdSchema, digestSchema, indexSchema, nodeSchema, pathSchema, sizeSchema } from "./shapes.ts";

export const evidenceChainSchema = z
  .object({
    chain_id: chainIdSchema,
    head_hash: digestSchema.describe("leaf hash of the newest receipt under the event's root"),
    sequence: indexSchema.describe("sequence of that receipt: tree_size - 1"),
  })
  .meta({ id: "EvidenceChain" });

const eventInclusionProofSchema = z.object({
  leaf_hash: nodeSchema,
  leaf_index: indexSchema,
  tree_size: sizeSchema,
  path: pathSchema.describe("RFC 9162 section 2.1.3 audit path, leaf side first"),
  root: nodeSchema,
});

export const crossTenantProofSchema = z.object({
  seal_index: indexSchema.describe(`The seal that publishes this root: ${ROOT_ROUTE}`),
  leaf: chainHeadSchema,
  leaf_index: indexSchema,
  tree_size: sizeSchema,
  path: pathSchema,
  root: nodeSchema,
});

export const merkleProofSchema = z
  .object({
    status: z.enum(["pending", "included"]),
    merkle_root: nodeSchema,
    event_inclusion_proof: eventInclusionProofSchema,
    cross_tenant_proof: crossTenantProofSchema.nullable(),
  })
  .meta({ id: "MerkleProof" });

export const complianceReceiptSchema = z
  .object({
    event_id: z.uuid(),
    receipts: z.array(receiptSchema).length(1),
    evidence_chain: evidenceChainSchema,
    merkle_proof: merkleProofSchema,
    tsa_timestamp: tsaTimestampSchema,
    recorded_after_seal: sealSchema
      .nullable()
      .optional()
      .describe(
        "In reports: the seal that `recorded_after` names, as it is published; null where it names none",
      ),
    log_checkpoint: logCheckpointSchema
      .nullable()
      .optional()
      .describe(
        "In reports of included receipts: the log's signed checkpoint of this root, with the cosignatures of witnesses that came in time; null where its seal has none",
      ),
    log_signed_root: logSignedRootSchema
      .nullable()
      .optional()
      .describe(
        "In reports of included receipts: the log's COSE signature over this root, base64 of a COSE_Sign1; null where its seal has none",
      ),
    renewal: renewalSchema
      .optional()
      .describe(
        "In reports whose own token is pending, has run out or soon will: a later one that covers it",
      ),
    erasure: erasureSchema
      .optional()
      .describe("In reports: when and why the identifiers of the conversation were erased, if they were"),
    ...answerAuthenticationSchema.shape,
  })
  .meta({ id: "ComplianceReceipt" });

export type EvidenceChain = z.infer<typeof evidenceChainSchema>;
export type EventInclusionProof = z.infer<typeof eventInclusionProofSchema>;
export type CrossTenantProof = z.infer<typeof crossTenantProofSchema>;
export type MerkleProof = z.infer<typeof merkleProofSchema>;
export type ComplianceReceipt = z.infer<typeof complianceReceiptSchema>;
