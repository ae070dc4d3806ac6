// Timestamp tokens as evidence that every verifier takes: a bare proof of a tree of one leaf, the root that they are over.
import { isDisclosureError } from "../../evidence/core/errors.ts";
import { parseTimestampToken } from "../../evidence/core/timestamps/timestamp-token.ts";
import type { TimestampVector } from "../support/timestamp-vectors.ts";
import { EVIDENCE_DAY } from "./evidence-rows.ts";

export function proofOfToken({ root, bytes }: Pick<TimestampVector, "root" | "bytes">): object {
  const node = `0x${root}`;
  const event_inclusion_proof = { leaf_hash: node, leaf_index: 0, tree_size: 1, path: [], root: node };
  const token = Buffer.from(bytes).toString("base64");
  return {
    merkle_proof: { status: "pending", merkle_root: node, event_inclusion_proof, cross_tenant_proof: null },
    tsa_timestamp: { status: "included", timestamp_token: token, tsa_url: null, covers: "merkle_root" },
  };
}

/** What can't be read is no better on another day. */
export function genTimeOf({ bytes }: Pick<TimestampVector, "bytes">): number {
  try {
    return Date.parse(parseTimestampToken(bytes).tstInfo.genTime);
  } catch (error) {
    if (isDisclosureError(error, "token_invalid") || isDisclosureError(error, "token_open"))
      return EVIDENCE_DAY;
    throw error;
  }
}
