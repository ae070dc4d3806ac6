// The compliance receipt put together from what the ledger proves: while pending, and once included.
import type {
  ComplianceReceipt,
  CrossTenantProof,
  EventInclusionProof,
} from "../../evidence/core/formats/compliance-receipt.ts";
import type { TsaTimestamp } from "../../evidence/core/formats/metachain.ts";
import type { Authentication } from "../../evidence/core/formats/receipt.ts";
import { formatDigest, formatNode } from "../../evidence/core/merkle/hash.ts";
import { type ChainLeaf, formatReceipt } from "../ledger/chain-leaf.ts";
import type { LogInclusionProof } from "../ledger/log.ts";

/** A compliance receipt that is not yet authenticated. */
export type UnsignedReceipt = Omit<ComplianceReceipt, keyof Authentication>;

/** The root is the chain's own: right after this leaf, or after leaves that were written or stamped with it. */
export const formatPending = (
  receipt: ChainLeaf,
  proof: LogInclusionProof,
  timestamp: TsaTimestamp,
): UnsignedReceipt => format(receipt, proof, null, timestamp);

/** The root is the published one, and the seal's own timestamp covers it. */
export const formatIncluded = (
  receipt: ChainLeaf,
  proof: LogInclusionProof,
  crossTenantProof: CrossTenantProof,
  timestamp: TsaTimestamp,
): UnsignedReceipt => format(receipt, proof, crossTenantProof, timestamp);

function format(
  receipt: ChainLeaf,
  proof: LogInclusionProof,
  cross_tenant_proof: CrossTenantProof | null,
  tsa_timestamp: TsaTimestamp,
): UnsignedReceipt {
  const event_inclusion_proof = formatEventProof(proof);
  return {
    event_id: receipt.core.event_id,
    receipts: [formatReceipt(receipt)],
    evidence_chain: {
      chain_id: receipt.core.chain_id,
      head_hash: formatDigest(proof.head.leafHash),
      sequence: proof.head.leafIndex,
    },
    merkle_proof: {
      status: cross_tenant_proof === null ? "pending" : "included",
      merkle_root: cross_tenant_proof?.root ?? event_inclusion_proof.root,
      event_inclusion_proof,
      cross_tenant_proof,
    },
    tsa_timestamp,
  };
}

const formatEventProof = ({ leaf, path, head, root }: LogInclusionProof): EventInclusionProof => ({
  leaf_hash: formatNode(leaf.leafHash),
  leaf_index: leaf.leafIndex,
  tree_size: head.leafIndex + 1,
  path: path.map(formatNode),
  root: formatNode(root),
});
