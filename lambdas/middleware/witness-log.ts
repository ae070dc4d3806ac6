// Logs a witness's failures, for the operator.
import { describeError, logger } from "../../service/logger.ts";

export const logWitnessFailure = (witness: string, error: unknown): void =>
  logger.warn("no cosignature from this witness", { witness, failure: describeError(error) });
