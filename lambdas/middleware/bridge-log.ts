// The bridge's log lines: what became of a message, and not a word of it. The conversation is a digest of its id. The count
// of calls without a disclosure, on which an alarm looks, has no id at all.
import type { BridgeNote } from "../../clients/bridge/bridge.ts";
import { logger } from "../../service/logger.ts";
import { meter } from "./metrics.ts";

export function logBridgeNote({ kind, ...facts }: BridgeNote): void {
  if (kind === "refused") logger.info("webhook refused", facts);
  else if (kind === "unreadable") logger.error("webhook unreadable", facts);
  else if (kind === "failed") logger.error("disclosure not recorded", facts);
  else if (isConcern(facts)) {
    logger.warn("disclosure missing", facts);
    meter("missedDisclosures", 1);
  } else logger.info("disclosures recorded", facts);
}

/** The call is over, and a text was not heard to its end, or none was heard. */
function isConcern(facts: Readonly<Record<string, unknown>>): boolean {
  return facts.isLive === false && (facts.missed !== 0 || facts.statements === 0);
}
