// Verifies a `.tlog-proof` as the tools of others do, which know the record by its hash and nothing of receipts.
import { type OpenedCheckpoint, openCheckpoint } from "../../evidence/core/log/open-checkpoint.ts";
import type { TlogPolicy } from "../../evidence/core/log/tlog-policy.ts";
import type { TlogProof } from "../../evidence/core/log/tlog-proof.ts";
import { verifyInclusion } from "../../evidence/core/merkle/merkle-proof.ts";

/**
 * The checkpoint whose tree holds the record. Throws `proof_invalid` where the path does not lead from the record to
 * the checkpoint's root, and as `openCheckpoint` does; a missing quorum is told and not thrown.
 */
export async function verifyTlogProof(
  { index, path, checkpoint }: TlogProof,
  recordHash: Uint8Array,
  policy: TlogPolicy,
): Promise<OpenedCheckpoint> {
  const opened = await openCheckpoint(checkpoint, policy);
  verifyInclusion(recordHash, index, opened.checkpoint.size, path, opened.checkpoint.root);
  return opened;
}
