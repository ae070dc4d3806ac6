// The error of a plan's limit that is reached: which one it is, and when it ends.
import type { ReachedLimit } from "../../contract/problem-details.ts";
import { DisclosureError, type ErrorCode } from "../../evidence/core/errors.ts";

export class LimitReached extends DisclosureError {
  readonly reached: ReachedLimit;

  /** The caller reads `message`. */
  constructor(code: ErrorCode, message: string, limit: ReachedLimit["limit"], now: Date, endsAt: Date) {
    super(code, message, { limit });
    // Rounded up: a call after this time must find the limit ended.
    const retryAfterSeconds = Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / 1_000));
    this.reached = { limit, endsAt: endsAt.toISOString(), retryAfterSeconds };
  }
}
