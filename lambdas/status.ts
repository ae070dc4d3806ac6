// GET /v1/status: the status of each endpoint, capability and jurisdiction, and when it was last checked; and how far and
// how lately the log is published and cosigned.
import { SECOND_MS } from "../contract/time.ts";
import { policyLayers } from "../evidence/policy/index.ts";
import { LogReadings, READING_LIFETIME_MS } from "../service/audit/log-readings.ts";
import { describeError, logger } from "../service/logger.ts";
import { openLayers } from "../service/opening/layers.ts";
import { openRoots } from "../service/opening/roots.ts";
import { openWitnessPolicy } from "../service/opening/witnesses.ts";
import { buildServiceStatus } from "./api/service-status.ts";
import { apiHandler, publicText } from "./middleware/api.ts";

const CACHE = `public, max-age=${READING_LIFETIME_MS / SECOND_MS}`;
const layers = openLayers(policyLayers);
const log = new LogReadings({
  roots: openRoots(),
  witnesses: openWitnessPolicy(),
  clock: () => new Date(),
  onFailure: (error) => logger.error("the log could not be read", { failure: describeError(error) }),
});

export const handler = apiHandler(async () => {
  const status = buildServiceStatus(layers, await log.read());
  return publicText("application/json", CACHE, JSON.stringify(status));
});
