// The kinds of problem details (RFC 9457) that the API answers with, and the text of their page.
import { MAX_ATTESTATION_BODY_BYTES, MAX_PROOF_BODY_BYTES, MAX_PROOF_VALUES } from "./limits.ts";

export interface ProblemKind {
  /** The fragment of `type`. */
  readonly slug: string;
  readonly status: number;
  readonly title: string;
  /** The text of the problems page: the caller's next step. */
  readonly advice: string;
}

const KIB = 1024;

const kind = (slug: string, status: number, title: string, advice: string): ProblemKind => ({
  slug,
  status,
  title,
  advice,
});

export const PROBLEMS = {
  badRequest: kind(
    "bad-request",
    400,
    "The request can't be read",
    "Send one JSON object in UTF-8, without a byte order mark, no member twice.",
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
  receiptRemoved: kind(
    "receipt-removed",
    410,
    "This receipt was removed",
    "The tenant's retention has ended for it. Its hash stays in the log, so a copy of its report still holds.",
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
    `A request carries digests only and has at most ${MAX_ATTESTATION_BODY_BYTES / KIB} KiB; a proof to verify, ${MAX_PROOF_BODY_BYTES / KIB} KiB and ${MAX_PROOF_VALUES.toLocaleString("en-US")} values.`,
  ),
  unsupportedMediaType: kind(
    "unsupported-media-type",
    415,
    "The body is not plain application/json",
    "Send `Content-Type: application/json`, and no `Content-Encoding`: a body is never compressed.",
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
    "Wait as long as `Retry-After` says. `limit` says which limit of the plan is reached, and `ends_at` when it ends: the rate after a moment, the quota with the month (UTC). While the quota is used up, reports and repeats of an `Idempotency-Key` are answered.",
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
