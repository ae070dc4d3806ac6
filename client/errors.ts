// What can go wrong for a caller, by code.

/**
 * `refused`: the service said no, and would say it again. `undeliverable`: no answer within the retries; the
 * disclosure may or may not be recorded. `receipt_invalid`: the answer does not prove what it says. `chain_forked`: the
 * answer contradicts what this client saw before. `queue_full`: the durable queue has no room.
 */
export type ClientErrorCode = "refused" | "undeliverable" | "receipt_invalid" | "chain_forked" | "queue_full";

export class ClientError extends Error {
  override readonly name = "DisclosureClientError";
  readonly code: ClientErrorCode;
  /** The problem details of the service, the failed checks, or whatever else shows what happened. */
  readonly evidence: unknown;

  constructor(code: ClientErrorCode, message: string, evidence: unknown = null, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.evidence = evidence;
  }
}
