// The root of a receipt that is timestamped, and every time that is proved of it.

import type { ReceiptEvidence } from "../formats/evidence.ts";
import { instantSchema } from "../formats/shapes.ts";
import type { ProvenTime } from "../timestamps/proven-time.ts";
import { proveTimes, type ReaderTime, type StampedRoot } from "./verify-timestamp.ts";

/** As `proveTimes` says, and throws; empty where the receipt comes without a timestamp. */
export async function proveReceiptTimes(
  evidence: ReceiptEvidence,
  knowledge: ReaderTime,
): Promise<readonly ProvenTime[]> {
  const stamped = stampedRootOf(evidence, knowledge);
  return stamped === null ? [] : proveTimes(stamped);
}

/** Null where the receipt comes without a timestamp. */
export function stampedRootOf(
  { tsa_timestamp: timestamp, merkle_proof, receipts, renewal: carried }: ReceiptEvidence,
  { trustAnchors, now, renewals }: ReaderTime,
): StampedRoot | null {
  if (timestamp === undefined) return null;
  const { merkle_root: root, cross_tenant_proof: cross } = merkle_proof;
  // A text that is no time states none: languages differ in what else they take for one.
  const { data: notBefore = null } = instantSchema.safeParse(receipts?.[0]?.issued_at);
  const seal = cross && { index: cross.seal_index, tree_size: cross.tree_size };
  return { root, timestamp, notBefore, seal, trustAnchors, now, renewals, carried };
}
