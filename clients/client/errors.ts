// The errors of the client, by code: docs/client.md says what to do about each.
import { printable } from "../../evidence/core/printable.ts";

const CODES = [
  // faults of the caller
  "invalid_options",
  "invalid_request",
  // results of a call
  "refused",
  "undeliverable",
  "receipt_invalid",
  "chain_forked",
  "not_sealed",
  // the durable queue
  "queue_full",
  "queue_expired",
  "queue_closed",
  "queue_in_use",
  "queue_disk_failed",
  "queue_callback_failed",
] as const;

/**
 * `invalid_…`: nothing was sent. `refused`: the service said no, by `status`. `undeliverable`: no answer within the
 * retries; the disclosure may or may not be recorded. `receipt_invalid`: the answer does not prove what it says.
 * `chain_forked`: the answer verifies, and contradicts an earlier one that this client saw. `not_sealed`: no published
 * root covered the receipt in the time that the caller gave; the receipt is recorded.
 */
export type ClientErrorCode = (typeof CODES)[number];

export interface ErrorDetails {
  readonly evidence?: unknown;
  readonly cause?: unknown;
  readonly status?: number | null;
  readonly retryAfterMs?: number;
}

export class ClientError extends Error {
  override readonly name = "ClientError";
  readonly code: ClientErrorCode;
  /** The HTTP status of the last answer; null where there was none. */
  readonly status: number | null;
  /** The time for which the service asks to be left alone, in milliseconds. */
  readonly retryAfterMs: number;
  /** The key that the disclosure was sent with: who attests it again needs the same, or it could be recorded twice. */
  idempotencyKey: string | null = null;
  /** Private, so that a logger that writes out an error's members writes no receipts. */
  readonly #evidence: unknown;

  constructor(code: ClientErrorCode, message: string, details: ErrorDetails = {}) {
    const { evidence = null, cause, status = null, retryAfterMs = 0 } = details;
    // A title or a check's detail has text of whoever answered, and goes to terminals and logs.
    super(printable(message), cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.#evidence = evidence;
  }

  /** The service's problem details, the failed checks with the answer, or whatever else shows what happened. */
  get evidence(): unknown {
    return this.#evidence;
  }
}

/** True if this is a `ClientError`, with this code if one is given. One of another copy of this package counts too. */
export function isClientError(error: unknown, code?: ClientErrorCode): error is ClientError {
  if (!(error instanceof Error) || error.name !== "ClientError" || !("code" in error)) return false;
  return CODES.some((known) => known === error.code) && (code === undefined || error.code === code);
}
