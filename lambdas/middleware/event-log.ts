// Logs an event that the bus did not take, for the operator.
import type { EventType } from "../../contract/events.ts";
import { describeError, logger } from "../../service/logger.ts";

export const logEventFailure = (type: EventType, error: unknown): void =>
  logger.warn("an event was not sent", { type, failure: describeError(error) });
