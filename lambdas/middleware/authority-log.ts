// Logs and counts a timestamp authority's failures, for the operator and not for the caller.
import { describeError, logger } from "../../service/logger.ts";
import { meter } from "./metrics.ts";

export function logAuthorityFailure(tsa_url: string, error: unknown): void {
  meter("timestampFailures", 1);
  logger.warn("no timestamp from this authority", { tsa_url, failure: describeError(error) });
}
