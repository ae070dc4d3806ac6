// The points of a deployment's state that need an operator's attention, as codes: each program has its own words for them.
import { MINUTE_MS } from "../../contract/time.ts";
import { isOldQuorum } from "../../evidence/core/log/open-checkpoint.ts";
import type { LedgerStatus } from "./ledger-status.ts";

/** A seal that is late by more than this many intervals, and by some minutes, needs attention. */
const MAX_INTERVALS = 5;
const MAX_WAIT_MINUTES = 5;

export const CONCERNS = [
  "receipts_wait",
  "seal_unpublished",
  "roots_gone",
  "roots_without_token",
  "token_does_not_hold",
  "chains_unreadable",
  "chains_unsealable",
  "entry_unclaimed",
  "checkpoint_does_not_hold",
  "checkpoint_late",
  "quorum_missing",
  "quorum_old",
  "retention_overdue",
] as const;
export type Concern = (typeof CONCERNS)[number];

/** Says whether an instant, RFC 3339, is longer ago than anything should take. */
type IsLate = (instant: string) => boolean;

export interface JudgedDeployment {
  readonly status: LedgerStatus;
  /** True where `admin retention` is overdue. */
  readonly isRetentionOverdue: boolean;
  /** The interval at which the deployment seals. */
  readonly sealIntervalMinutes: number;
}

export function concernsOf(
  { status, isRetentionOverdue, sealIntervalMinutes }: JudgedDeployment,
  now: Date,
): Concern[] {
  const limit = Math.max(MAX_WAIT_MINUTES, MAX_INTERVALS * sealIntervalMinutes) * MINUTE_MS;
  const isLate: IsLate = (instant) => now.getTime() - Date.parse(instant) > limit;
  const found: Readonly<Record<Concern, boolean>> = {
    ...concernsOfSealing(status, isLate),
    ...concernsOfLog(status, isLate),
    quorum_old: isQuorumOld(status, now),
    retention_overdue: isRetentionOverdue,
  };
  return CONCERNS.filter((concern) => found[concern]);
}

const concernsOfSealing = (
  { seal, backlog, tokens, lacking, setAside, unclaimed, unpublished }: LedgerStatus,
  isLate: IsLate,
) => ({
  receipts_wait: backlog.oldest !== null && isLate(backlog.oldest),
  seal_unpublished: seal?.isPublished === false && isLate(seal.sealedAt),
  // The head is public before its seal is marked so: a head that lacks it was lost, or was set back.
  roots_gone: seal?.isPublished === true && unpublished > 0,
  roots_without_token: lacking.tokenless > 0,
  token_does_not_hold: tokens.some(({ holds }) => holds === false),
  chains_unreadable: backlog.damaged.length > 0,
  chains_unsealable: setAside.length > 0,
  entry_unclaimed: unclaimed !== null,
});

function concernsOfLog({ log, seal }: LedgerStatus, isLate: IsLate) {
  const isPublished = seal?.isPublished === true;
  const hasFault = isPublished && Boolean(log?.fault);
  const isDue = isPublished && !hasFault && isLate(seal.sealedAt);
  return {
    checkpoint_does_not_hold: hasFault,
    checkpoint_late: isDue && (log?.checkpoint?.size ?? 0) < seal.treeSize,
    quorum_missing: isDue && log?.checkpoint?.hasQuorum === false,
  };
}

/** Also where nothing is sealed: the newest checkpoint is cosigned anew all the same. */
function isQuorumOld({ log }: LedgerStatus, now: Date): boolean {
  const quorumAt = log?.quorumAt ?? null;
  return quorumAt !== null && isOldQuorum(new Date(quorumAt), now);
}
