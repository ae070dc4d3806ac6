// The scheduled sealer. A failed run is nobody's loss: the next one finishes what it began.
import { openStamp, openTable, systemClock } from "../service/connections.ts";
import { describeError, logger } from "../service/logger.ts";
import { openRoots } from "../service/open-roots.ts";
import { runSealer, type SealRun } from "../service/sealer.ts";
import { logAuthorityFailure } from "./middleware/authority-log.ts";

const services = {
  table: openTable(),
  roots: openRoots(),
  stamp: openStamp(logAuthorityFailure),
  clock: systemClock,
};

export async function handler(): Promise<SealRun["outcome"]> {
  try {
    const { outcome, chains, seal } = await runSealer(services);
    logger.info("sealed", { outcome, chains, seal_index: seal?.index, receipt_count: seal?.receipt_count });
    return outcome;
  } catch (error) {
    logger.error("the sealer failed", { failure: describeError(error) });
    throw error;
  }
}
