// The reasons why a file can't be read as evidence, for programs that explain them in the reader's language.
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
  | "failed";

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
