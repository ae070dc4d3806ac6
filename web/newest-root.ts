// The newest timestamped root that evidence leads to: the one whose timestamp says most.
import type { TsaTimestamp } from "../core/formats/metachain.ts";
import type { Subject } from "./documents.ts";

export interface StampedRoot {
  /** `0x` and hex. */
  readonly root: string;
  /** Null while the root is not published. */
  readonly sealIndex: number | null;
  readonly timestamp: TsaTimestamp | undefined;
}

/** Null for a bundle without any root. */
export function newestRoot(subject: Subject): StampedRoot | null {
  if (subject.kind === "receipt") {
    const { merkle_proof, tsa_timestamp } = subject.evidence;
    const sealIndex = merkle_proof.cross_tenant_proof?.seal_index ?? null;
    return { root: merkle_proof.merkle_root, sealIndex, timestamp: tsa_timestamp };
  }
  const seals = subject.kind === "seal" ? [subject.seal] : subject.bundle.seals;
  const seal = seals.findLast(({ tsa_timestamp }) => tsa_timestamp.timestamp_token !== null) ?? seals.at(-1);
  if (seal === undefined) return null;
  return { root: seal.merkle_root, sealIndex: seal.index, timestamp: seal.tsa_timestamp };
}
