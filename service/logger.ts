// The one logger: structured lines with Powertools. Never a key, an interaction id, an agent identity or a body.
import { Logger } from "@aws-lambda-powertools/logger";
import { DisclosureError } from "../evidence/core/errors.ts";

export const logger = new Logger({ serviceName: "disclosure-receipts" });

/**
 * An error for a log line. Of a cause only the name is kept: the messages and members of AWS errors can hold whole
 * items, and those of parsers the text that they stumbled over.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const cause =
    error.cause === undefined ? {} : { cause: error.cause instanceof Error ? error.cause.name : "unknown" };
  const ours = error instanceof DisclosureError ? { code: error.code, evidence: error.evidence } : {};
  return { name: error.name, ...ours, ...cause, stack: error.stack };
}
