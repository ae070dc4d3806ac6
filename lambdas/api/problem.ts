// From an error's code to the problem (RFC 9457) that the caller sees. A 5xx says nothing of the inside.
import {
  buildLimitProblem,
  buildProblem,
  type FieldError,
  type HttpProblem,
} from "../../contract/problem-details.ts";
import { PROBLEMS, type ProblemKind } from "../../contract/problem-kinds.ts";
import { type DisclosureError, type ErrorCode, isDisclosureError } from "../../evidence/core/errors.ts";
import { LimitReached } from "../../service/limits/limit-reached.ts";

const KINDS: Record<ErrorCode, ProblemKind> = {
  malformed: PROBLEMS.badRequest,
  not_json: PROBLEMS.badRequest,
  invalid_request: PROBLEMS.invalidRequest,
  jurisdiction_not_active: PROBLEMS.jurisdictionNotActive,
  unauthorized: PROBLEMS.unauthorized,
  forbidden: PROBLEMS.forbidden,
  not_found: PROBLEMS.notFound,
  receipt_removed: PROBLEMS.receiptRemoved,
  method_not_allowed: PROBLEMS.methodNotAllowed,
  idempotency_conflict: PROBLEMS.idempotencyConflict,
  payload_too_large: PROBLEMS.payloadTooLarge,
  unsupported_media_type: PROBLEMS.unsupportedMediaType,
  rate_exceeded: PROBLEMS.tooManyRequests,
  quota_exceeded: PROBLEMS.tooManyRequests,
  proof_invalid: PROBLEMS.internal,
  token_invalid: PROBLEMS.internal,
  token_open: PROBLEMS.internal,
  ledger_contended: PROBLEMS.unavailable,
  ledger_unavailable: PROBLEMS.unavailable,
  clock_off: PROBLEMS.unavailable,
  ledger_corrupt: PROBLEMS.internal,
  mac_unavailable: PROBLEMS.unavailable,
  authority_failed: PROBLEMS.unavailable,
  signing_unavailable: PROBLEMS.unavailable,
  witness_failed: PROBLEMS.unavailable,
  publication_conflict: PROBLEMS.internal,
  publication_unavailable: PROBLEMS.unavailable,
  gateway_unavailable: PROBLEMS.unavailable,
  misconfigured: PROBLEMS.internal,
};

/** Below 500 the caller reads the error's own message; from there on the problem's title alone. */
export function problemOf(error: unknown, instance: string): HttpProblem {
  if (!isDisclosureError(error)) return buildProblem(PROBLEMS.internal, instance);
  const kind = KINDS[error.code];
  if (error instanceof LimitReached) return buildLimitProblem(kind, instance, error.message, error.reached);
  return kind.status >= 500
    ? buildProblem(kind, instance)
    : buildProblem(kind, instance, error.message, fieldErrors(error, kind));
}

function fieldErrors(error: DisclosureError, { status }: ProblemKind): readonly FieldError[] | undefined {
  if (error.code === "jurisdiction_not_active") {
    return [{ pointer: "#/jurisdiction", detail: `the layer's status is ${error.evidence.status}` }];
  }
  if (status !== 400 && status !== 422) return undefined;
  const { errors } = error.evidence as { errors?: readonly FieldError[] };
  return errors ?? [{ pointer: "#", detail: error.message }];
}
