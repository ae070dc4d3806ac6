// The reasons why nothing can be said about a file, for programs that explain them in the reader's language.
import { DisclosureError, isDisclosureError } from "../core/errors.ts";

export type UnreadableReason =
  | "empty"
  | "too_large"
  | "not_json"
  | "not_text"
  | "pdf"
  | "part_too_large"
  | "refusal"
  | "unknown"
  | "two_kinds"
  | "fork"
  | "malformed"
  | "certificates"
  | "failed"
  | "two_policies"
  | "two_roots"
  | "history_broken"
  | "history_malformed"
  // The reasons of a page, which holds all files in memory and gives up on some.
  | "gone"
  | "too_slow"
  | "too_many"
  | "folder_too_large"
  | "no_evidence"
  | "two_histories";

/** Why nothing can be said about a file. `detail` is technical and in English. Plain data. */
export interface Problem {
  readonly reason: UnreadableReason;
  readonly detail: string;
}

/** An error that says why a file can't be read: `malformed`, with the reason as evidence. */
export const unreadable = (reason: UnreadableReason, message: string, cause?: unknown): DisclosureError =>
  new DisclosureError("malformed", message, { reason }, cause);

/** The reason that an error of `parseDocument` has; `failed` for an error that it does not throw. */
export function unreadableReasonOf(error: unknown): UnreadableReason {
  if (!isDisclosureError(error)) return "failed";
  if (error.code === "not_json") return "not_json";
  if (error.code === "payload_too_large") return "too_large";
  const { reason } = error.evidence;
  return typeof reason === "string" ? (reason as UnreadableReason) : "malformed";
}

/** A fault of the program costs the file at which it showed, and no other. */
export const problemOf = (error: unknown): Problem => ({
  reason: unreadableReasonOf(error),
  detail: error instanceof Error ? error.message : String(error),
});
