// The newest timestamped root that evidence leads to: the one whose timestamp says most.
import type { TsaTimestamp } from "../../evidence/core/formats/metachain.ts";
import type { Evidence } from "../../evidence/reader/evidence.ts";

export interface TimestampedRoot {
  /** `0x` and hex. */
  readonly root: string;
  /** Null while the root is not published. */
  readonly sealIndex: number | null;
  readonly timestamp: TsaTimestamp | undefined;
}

/** Null for a bundle without any root. */
export function newestRoot(evidence: Evidence): TimestampedRoot | null {
  if (evidence.kind !== "bundle" && evidence.kind !== "seal") {
    const { merkle_proof, tsa_timestamp } = evidence.receipt;
    const sealIndex = merkle_proof.cross_tenant_proof?.seal_index ?? null;
    return { root: merkle_proof.merkle_root, sealIndex, timestamp: tsa_timestamp };
  }
  const seals = evidence.kind === "seal" ? [evidence.seal] : evidence.bundle.seals;
  const seal = seals.findLast(({ tsa_timestamp }) => tsa_timestamp.timestamp_token !== null) ?? seals.at(-1);
  if (seal === undefined) return null;
  return { root: seal.merkle_root, sealIndex: seal.index, timestamp: seal.tsa_timestamp };
}
