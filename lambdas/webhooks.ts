// The scheduled deliverer of webhooks. A failed run loses nothing: the next one goes on where it ended.

import { FaultEvents } from "../service/events/fault-events.ts";
import { describeError, logger } from "../service/logger.ts";
import { openTable } from "../service/opening/connections.ts";
import { openEvents } from "../service/opening/events.ts";
import { openWebhookSecrets, openWebhookSender } from "../service/opening/webhooks.ts";
import { deliverWebhooks } from "../service/webhooks/deliverer.ts";
import { logEventFailure } from "./middleware/event-log.ts";
import { meter as count, measured } from "./middleware/metrics.ts";

const table = openTable();
const faults = new FaultEvents(count, openEvents(count, logEventFailure));
const services = {
  table,
  secrets: openWebhookSecrets(),
  post: openWebhookSender(),
  clock: table.clock,
  meter: faults.meter,
  onFailure: (error: unknown) =>
    logger.error("webhooks of a tenant or a chain were not delivered", { failure: describeError(error) }),
};

export const handler = measured(async (): Promise<void> => {
  try {
    await deliverWebhooks(services);
  } catch (error) {
    logger.error("the deliverer failed", { failure: describeError(error) });
    throw error;
  } finally {
    await faults.settled();
  }
});
