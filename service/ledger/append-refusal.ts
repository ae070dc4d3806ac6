// Judges a refused transaction: by the item in the way, a failed condition becomes one of few named events.
import type { Item } from "../table/item.ts";
import { CONDITION_FAILED, type TransactionRefusal } from "../table/transaction-outcome.ts";
import type { Submission } from "./append-plan.ts";
import type { PlannedWrite } from "./append-writes.ts";
import { isWrittenBy } from "./chain-leaf.ts";

/** A submission whose Idempotency-Key was used before, and the record of that use. */
export interface Replay {
  readonly submission: Submission;
  readonly record: Item;
}

/**
 * `committed`: the leaf in the way is our own, so an earlier send of this very transaction had taken effect.
 * `again`: nothing was written. Another process won the race for the sequence or the turn, which DynamoDB reports as
 * a failed condition or as a conflict; and `replays` lists the members that must not be sent again.
 */
export type RefusalJudgement =
  | { readonly kind: "committed" }
  | { readonly kind: "again"; readonly replays: readonly Replay[] };

export function judgeRefusals(
  writes: readonly PlannedWrite[],
  refusals: readonly TransactionRefusal[],
  token: string,
): RefusalJudgement {
  const failed = writes.flatMap((write, i) => {
    const refusal = refusals[i];
    return refusal?.code === CONDITION_FAILED ? [{ ...write, item: refusal.item }] : [];
  });
  // The hash would not tell: another process may have written the very same receipt, and not the rest of our batch.
  const isOurs = failed.some(
    ({ role, item }) => role === "leaf" && item !== null && isWrittenBy(item, token),
  );
  if (isOurs) return { kind: "committed" };
  const replays = failed.flatMap(({ role, receipt, item }) =>
    role === "idempotency" && item !== null ? [{ submission: receipt.submission, record: item }] : [],
  );
  return { kind: "again", replays };
}
