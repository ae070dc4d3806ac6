// Problem details (RFC 9457): the one table from error codes to what a caller sees. A 5xx says nothing of the inside.
import { type DisclosureError, type ErrorCode, isDisclosureError } from "../core/errors.ts";

export const PROBLEM_CONTENT_TYPE = "application/problem+json";
/** The page that `type` leads to: every problem, what it means and what to do. */
const PROBLEMS_PATH = "/v1/problems";
const RETRY_AFTER_SECONDS = 2;

export interface ProblemDetails {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The request id. */
  readonly instance: string;
  readonly errors?: readonly FieldError[];
}

/** One wrong part of a request: a JSON pointer into the body (RFC 6901, as a URI fragment) and what is wrong there. */
export interface FieldError {
  readonly pointer: string;
  readonly detail: string;
}

export interface ProblemKind {
  readonly name: string;
  readonly status: number;
  readonly title: string;
  /** What to do about it: the text of the problems page. */
  readonly advice: string;
}

const kind = (name: string, status: number, title: string, advice: string): ProblemKind => ({
  name,
  status,
  title,
  advice,
});

export const PROBLEMS = {
  badRequest: kind(
    "bad-request",
    400,
    "The request can't be read",
    "Send one JSON object in UTF-8, no member twice.",
  ),
  unauthorized: kind(
    "unauthorized",
    401,
    "No or unknown API key",
    "Send `Authorization: Bearer dr_live_…` with a key that the operator gave out.",
  ),
  forbidden: kind(
    "forbidden",
    403,
    "The API key may not do this",
    "The key is revoked, expired, or lacks the scope that the call needs. Ask the operator for another.",
  ),
  notFound: kind(
    "not-found",
    404,
    "There is nothing here",
    "Check the path and the id. Ids of others look the same as none.",
  ),
  methodNotAllowed: kind(
    "method-not-allowed",
    405,
    "This path has no such method",
    "The `Allow` header lists its methods.",
  ),
  idempotencyConflict: kind(
    "idempotency-conflict",
    409,
    "This Idempotency-Key was used with another body",
    "Use a new key for a new disclosure; repeat a call with the very same body.",
  ),
  payloadTooLarge: kind(
    "payload-too-large",
    413,
    "The body is too large",
    "A request carries digests only: 8 KiB are plenty. Proofs may have 64 KiB.",
  ),
  unsupportedMediaType: kind(
    "unsupported-media-type",
    415,
    "The body is not application/json",
    "Send `Content-Type: application/json`.",
  ),
  invalidRequest: kind(
    "invalid-request",
    422,
    "A field of the request is wrong",
    "`errors` names each field and what it must be.",
  ),
  jurisdictionNotActive: kind(
    "jurisdiction-not-active",
    422,
    "No active wording policy for this jurisdiction",
    "`errors` gives the status of the jurisdiction's layer. Only active layers accept attestations.",
  ),
  tooManyRequests: kind(
    "too-many-requests",
    429,
    "Over the plan's rate or quota",
    "Wait as long as `Retry-After` says.",
  ),
  internal: kind(
    "internal",
    500,
    "The service failed",
    "Nothing is known to be wrong with the request. Report the `instance`.",
  ),
  unavailable: kind(
    "unavailable",
    503,
    "The service can't answer now",
    "Repeat the call with the same `Idempotency-Key` after `Retry-After` seconds: if the disclosure was recorded, that finds it.",
  ),
} as const satisfies Record<string, ProblemKind>;

const KINDS: Record<ErrorCode, ProblemKind> = {
  malformed: PROBLEMS.badRequest,
  not_json: PROBLEMS.badRequest,
  invalid_request: PROBLEMS.invalidRequest,
  jurisdiction_not_active: PROBLEMS.jurisdictionNotActive,
  unauthorized: PROBLEMS.unauthorized,
  forbidden: PROBLEMS.forbidden,
  not_found: PROBLEMS.notFound,
  method_not_allowed: PROBLEMS.methodNotAllowed,
  idempotency_conflict: PROBLEMS.idempotencyConflict,
  payload_too_large: PROBLEMS.payloadTooLarge,
  unsupported_media_type: PROBLEMS.unsupportedMediaType,
  proof_invalid: PROBLEMS.internal,
  token_invalid: PROBLEMS.internal,
  ledger_contended: PROBLEMS.unavailable,
  ledger_unavailable: PROBLEMS.unavailable,
  ledger_corrupt: PROBLEMS.internal,
  mac_unavailable: PROBLEMS.unavailable,
  authority_failed: PROBLEMS.unavailable,
  publication_conflict: PROBLEMS.internal,
  publication_unavailable: PROBLEMS.unavailable,
  gateway_unavailable: PROBLEMS.unavailable,
  misconfigured: PROBLEMS.internal,
};

export interface HttpProblem {
  readonly kind: ProblemKind;
  readonly details: ProblemDetails;
  readonly headers: Readonly<Record<string, string>>;
}

/** Builds the problem of one kind. `detail` must be fit for the caller's eyes. */
export function buildProblem(
  kind: ProblemKind,
  instance: string,
  detail: string = kind.title,
  errors?: readonly FieldError[],
): HttpProblem {
  const { name, status, title } = kind;
  const type = `${PROBLEMS_PATH}#${name}`;
  const details = { type, title, status, detail, instance, ...(errors !== undefined && { errors }) };
  return { kind, details, headers: { "content-type": PROBLEM_CONTENT_TYPE, ...headersOf(status) } };
}

/** What HTTP wants beside a status (RFC 9110 sections 10.2.3 and 11.6.1). */
function headersOf(status: number): Record<string, string> {
  if (status === 401) return { "www-authenticate": "Bearer" };
  return status === 429 || status === 503 ? { "retry-after": String(RETRY_AFTER_SECONDS) } : {};
}

/** What a caller is told about an error: our own words below 500, and the problem's title alone from there on. */
export function problemOf(error: unknown, instance: string): HttpProblem {
  if (!isDisclosureError(error)) return buildProblem(PROBLEMS.internal, instance);
  const kind = KINDS[error.code];
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
