// `admin status` in words: the points that need attention, and what waits. What waits is no fault, and can be the first sign
// of one.
import type { Deployment } from "../../../contract/deployment.ts";
import { count } from "../../../evidence/core/verify/count.ts";
import { type Concern, concernsOf } from "../../../service/audit/concerns.ts";
import type { LedgerStatus } from "../../../service/audit/ledger-status.ts";
import { RETENTION_OVERDUE_DAYS } from "../../../service/erasure/retention-progress.ts";

export interface JudgedStatus {
  readonly status: LedgerStatus;
  /** True where receipts may be kept for longer than their tenants' retention. */
  readonly isRetentionOverdue: boolean;
  readonly now: Date;
  /**
   * The command that verifies the whole ledger, the one that sets the unclaimed entry aside, and the one that removes old
   * receipts, as a person can paste them.
   */
  readonly verify: string;
  readonly setAside: string;
  readonly retention: string;
}

export function describeConcerns(
  { sealIntervalMinutes }: Pick<Deployment, "sealIntervalMinutes">,
  { status, isRetentionOverdue, now, verify, setAside, retention }: JudgedStatus,
): string[] {
  const gone = count(status.unpublished, "published seal is", "published seals are");
  const words: Readonly<Record<Concern, string>> = {
    receipts_wait: "receipts wait to be sealed for too long",
    seal_unpublished: "a seal waits to be published for too long",
    roots_gone: `${gone} gone from the public roots; see: ${verify}`,
    roots_without_token: "published roots lack a timestamp token",
    token_does_not_hold: "a token does not hold",
    chains_unreadable: `chains can't be read; see: ${verify}`,
    chains_unsealable: `chains can't be sealed; see: ${verify}`,
    entry_unclaimed: `entry ${status.unclaimed?.leafIndex} of the metachain is claimed by no chain, so nothing is published; once you know who wrote it: ${setAside}`,
    checkpoint_does_not_hold: "the published checkpoint does not hold",
    checkpoint_late: "a seal waits for its checkpoint for too long",
    quorum_missing: "the newest checkpoint lacks the quorum of witnesses",
    quorum_old: "the newest quorum of witnesses is older than 3 hours",
    retention_overdue: `receipts may be older than their tenant's retention, which has not run to its end for ${RETENTION_OVERDUE_DAYS} days; run: ${retention}`,
  };
  const judged = { status, isRetentionOverdue, sealIntervalMinutes };
  return concernsOf(judged, now).map((concern) => words[concern]);
}

/** Names what is recorded but not yet sealed or published: one entry for each kind. */
export function describeWaiting({
  unpublished,
  backlog: { receipts },
}: Pick<LedgerStatus, "unpublished"> & { readonly backlog: { readonly receipts: number } }): string[] {
  return [
    ...(receipts === 0 ? [] : [`${waits(receipts, "receipt")} to be sealed`]),
    ...(unpublished === 0 ? [] : [`${waits(unpublished, "seal")} to be published`]),
  ];
}

const waits = (number: number, noun: string): string =>
  `${count(number, noun)} ${number === 1 ? "waits" : "wait"}`;
