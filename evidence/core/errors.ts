// The one base class of every error this project raises on purpose, and the closed union of their codes.

/** The kind of error, for programs; `lambdas/api/problem.ts` maps each code to a status and a problem type. */
export type ErrorCode =
  // the caller's input
  | "malformed"
  | "not_json"
  | "invalid_request"
  | "jurisdiction_not_active"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "receipt_removed"
  | "method_not_allowed"
  | "idempotency_conflict"
  | "payload_too_large"
  | "unsupported_media_type"
  // the plan's limits
  | "rate_exceeded"
  | "quota_exceeded"
  // the evidence does not hold
  | "proof_invalid"
  | "token_invalid"
  // nothing about it is shown to be false: this reader or this program can't judge it
  | "token_open"
  // ours
  | "ledger_contended"
  | "ledger_unavailable"
  | "clock_off"
  | "ledger_corrupt"
  | "mac_unavailable"
  | "authority_failed"
  | "signing_unavailable"
  | "witness_failed"
  | "publication_conflict"
  | "publication_unavailable"
  | "gateway_unavailable"
  | "misconfigured";

/** Facts that explain an error. Never keys, identifiers of people or conversations, or bodies. */
export type ErrorFacts = Readonly<Record<string, unknown>>;

/** An error with a code for programs, a message for people, and the evidence (expected, actual). */
export class DisclosureError extends Error {
  override readonly name = "DisclosureError";
  readonly code: ErrorCode;
  readonly evidence: ErrorFacts;

  constructor(code: ErrorCode, message: string, evidence: ErrorFacts = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.evidence = evidence;
  }
}

/** True if `error` is one of ours, with this code if one is given. */
export function isDisclosureError(error: unknown, code?: ErrorCode): error is DisclosureError {
  return error instanceof DisclosureError && (code === undefined || error.code === code);
}
