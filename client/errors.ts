// What can go wrong for a caller, by code.

/**
 * `invalid_request`: a field is wrong; nothing was sent. `refused`: the service said no, by `status`. `undeliverable`:
 * no answer within the retries; the disclosure may or may not be recorded. `receipt_invalid`: the answer does not prove
 * what it says. `chain_forked`: the answer holds by itself, and contradicts what this client saw before. `queue_…`: the
 * durable queue has no room, is closed, belongs to another process, or its disk failed.
 */
export type ClientErrorCode =
  | "invalid_request"
  | "refused"
  | "undeliverable"
  | "receipt_invalid"
  | "chain_forked"
  | "queue_full"
  | "queue_closed"
  | "queue_in_use"
  | "queue_disk_failed";

export interface ErrorDetails {
  readonly evidence?: unknown;
  readonly cause?: unknown;
  readonly status?: number | null;
  readonly retryAfterMs?: number;
}

export class ClientError extends Error {
  override readonly name = "DisclosureClientError";
  readonly code: ClientErrorCode;
  /** The service's problem details, the failed checks with the answer, or whatever else shows what happened. */
  readonly evidence: unknown;
  /** The HTTP status of the last answer; null where there was none. */
  readonly status: number | null;
  /** How long the service asks to be left alone, in milliseconds. */
  readonly retryAfterMs: number;

  constructor(code: ClientErrorCode, message: string, details: ErrorDetails = {}) {
    const { evidence = null, cause, status = null, retryAfterMs = 0 } = details;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.evidence = evidence;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}
