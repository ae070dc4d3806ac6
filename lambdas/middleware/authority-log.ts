// Why a timestamp authority was not believed: the operator must see it, the caller need not.
import { describeError, logger } from "../../service/logger.ts";
import { meter } from "./metrics.ts";

export function logAuthorityFailure(tsa_url: string, error: unknown): void {
  meter("timestampFailures", 1);
  logger.warn("no timestamp from this authority", { tsa_url, failure: describeError(error) });
}
