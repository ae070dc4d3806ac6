// What a refused write means. A failed condition becomes one of few named events, by looking at the item in the way.
import { equalBytes } from "../core/bytes.ts";
import type { PlannedWrite, Submission } from "./append-plan.ts";
import { CONDITION_FAILED, type Item, type Refusal } from "./table.ts";

/** A submission whose Idempotency-Key was used before, and the record of that use. */
export interface Replay {
  readonly submission: Submission;
  readonly record: Item;
}

/**
 * `committed`: the leaf in the way is our own, so an earlier send of this very transaction had taken effect.
 * `again`: nothing was written. Another process won the race for the sequence or the turn, which DynamoDB reports as
 * a failed condition or as a conflict; and `replays` lists the members that must not go again.
 */
export type Judgement =
  | { readonly kind: "committed" }
  | { readonly kind: "again"; readonly replays: readonly Replay[] };

export function judgeRefusals(writes: readonly PlannedWrite[], refusals: readonly Refusal[]): Judgement {
  const failed = writes.flatMap((write, i) => {
    const refusal = refusals[i];
    return refusal?.code === CONDITION_FAILED ? [{ ...write, item: refusal.item }] : [];
  });
  const isOurs = failed.some(
    ({ role, receipt, item }) => role === "leaf" && isLeaf(item, receipt.leaf.leafHash),
  );
  if (isOurs) return { kind: "committed" };
  const replays = failed.flatMap(({ role, receipt, item }) =>
    role === "idempotency" && item !== null ? [{ submission: receipt.submission, record: item }] : [],
  );
  return { kind: "again", replays };
}

const isLeaf = (item: Item | null, leafHash: Uint8Array): boolean =>
  item?.leaf_hash?.B !== undefined && equalBytes(item.leaf_hash.B, leafHash);
