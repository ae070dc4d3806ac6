// Reads the outcome of a write from DynamoDB's errors: nothing was written and why, or it stays unknown.
import type { CancellationReason } from "@aws-sdk/client-dynamodb";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { errorNameOf } from "./aws-error.ts";
import type { Item } from "./item.ts";

/** Errors by which DynamoDB says that it did nothing and that it was too much. */
const THROTTLES = new Set([
  "ThrottlingException",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "ThrottlingError",
  "ProvisionedThroughputExceeded",
]);
/** Errors that will not go away by asking again: a wrong request, role or table. */
const FINAL = new Set([
  "ValidationException",
  "ValidationError",
  "AccessDeniedException",
  "ResourceNotFoundException",
]);

/** The code of an item whose condition did not hold. */
export const CONDITION_FAILED = "ConditionalCheckFailed";

/** The reason for which one item of a refused transaction was in the way: its condition, another transaction, or none. */
export interface TransactionRefusal {
  readonly code: string;
  /** The item as it was, where its condition failed. */
  readonly item: Item | null;
}

/** `committed`, or nothing at all was written and why. An outcome that stays unknown is thrown. */
export type TransactionOutcome =
  | { readonly kind: "committed" }
  | { readonly kind: "throttled" | "late" }
  | { readonly kind: "refused"; readonly refusals: readonly TransactionRefusal[] };

export const unavailable = (error: unknown): DisclosureError =>
  new DisclosureError(
    "ledger_unavailable",
    "the table can't be reached",
    { error: errorNameOf(error) },
    error,
  );

/**
 * The outcome of a failed write, or null where the error leaves it unknown. After an unknown outcome our own first
 * send may still be under way: then only a failed condition is an answer, for a token is judged once.
 */
export function readOutcome(error: unknown, isFirstSend: boolean): TransactionOutcome | null {
  const name = errorNameOf(error);
  const refusals = name === "TransactionCanceledException" ? readRefusals(error) : [];
  const codes = new Set([name, ...refusals.map(({ code }) => code)]);
  if ([...codes].some((code) => FINAL.has(code))) throw unavailable(error);
  if (isFirstSend && [...codes].some((code) => THROTTLES.has(code))) return { kind: "throttled" };
  if (codes.has(CONDITION_FAILED) || (isFirstSend && refusals.length > 0))
    return { kind: "refused", refusals };
  return null;
}

function readRefusals(error: unknown): TransactionRefusal[] {
  const { CancellationReasons = [] } = error as { CancellationReasons?: CancellationReason[] };
  return CancellationReasons.map(({ Code, Item }) => ({ code: Code ?? "None", item: Item ?? null }));
}
