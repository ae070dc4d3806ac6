// POST /v1/attestation: records one disclosure and answers with its compliance receipt.
import type { APIGatewayProxyEvent } from "aws-lambda";
import { MAX_ATTESTATION_BODY_BYTES } from "../contract/limits.ts";
import { WARNING_HEADER } from "../contract/warning-header.ts";
import { attestationRequestSchema } from "../evidence/core/formats/attestation-request.ts";
import { policyLayers } from "../evidence/policy/index.ts";
import { type AttestationServices, attest } from "../service/attestations/attestations.ts";
import { ChainStamps } from "../service/attestations/chain-stamps.ts";
import { LimitEvents } from "../service/events/limit-events.ts";
import { Appenders } from "../service/ledger/appender-pool.ts";
import { LimitReached } from "../service/limits/limit-reached.ts";
import { describeError, logger } from "../service/logger.ts";
import {
  openInlineStamp,
  openMacs,
  openProcessKind,
  openTable,
  openTokenTimes,
} from "../service/opening/connections.ts";
import { openEvents } from "../service/opening/events.ts";
import { openLayers } from "../service/opening/layers.ts";
import { openMonthQuota } from "../service/opening/limits.ts";
import { EffectiveLayers } from "../service/policy/effective-layers.ts";
import { StampedSeals } from "../service/seals/stamped-seals.ts";
import { stopping } from "../service/stopping.ts";
import { apiHandler, json } from "./middleware/api.ts";
import { logAuthorityFailure } from "./middleware/authority-log.ts";
import { logEventFailure } from "./middleware/event-log.ts";
import { warningOf } from "./middleware/id-warning.ts";
import { measured, meter, meterPlan, meterRefusal } from "./middleware/metrics.ts";
import { readAs, readBody, readCaller, readIdempotencyKey, readTenant } from "./middleware/request.ts";

const logLookup = (error: unknown): void =>
  logger.error("the newest stamped seal could not be read", { failure: describeError(error) });
const logFault = (error: unknown): void => logger.error("no stamp", { failure: describeError(error) });

const table = openTable();
const macs = openMacs(table);
const inline = openInlineStamp(table, logAuthorityFailure);
const readTokenTime = openTokenTimes();
const stampedSeals = new StampedSeals({ table, readTokenTime, onFault: logLookup, meter });
const logDamage = (error: unknown): void =>
  logger.error("a leaf was left out of the quota's count", { failure: describeError(error) });
const services: AttestationServices = {
  table,
  quota: openMonthQuota(table, logDamage),
  appenders: new Appenders({
    table,
    macs,
    stampedSeals,
    processKind: openProcessKind(),
    stopping,
  }),
  stamps: inline && new ChainStamps({ ...inline, table, onFault: logFault, stopping }),
  macs,
  meter: meterPlan,
  clock: table.clock,
  layers: new EffectiveLayers(table, openLayers(policyLayers)),
};

const limitEvents = new LimitEvents(openEvents(meter, logEventFailure));

/** Both limits end here: the rate, where this process holds it, and the month's quota. */
async function tellLimit(event: APIGatewayProxyEvent, error: unknown): Promise<void> {
  const tenant = readTenant(event);
  if (!(error instanceof LimitReached) || tenant === null) return;
  meterRefusal(tenant.plan, error.reached.limit);
  await limitEvents.tell(tenant, error.reached);
}

export const handler = measured(
  apiHandler(async (event) => {
    const caller = readCaller(event, "attest");
    const idempotencyKey = readIdempotencyKey(event);
    const request = readAs(attestationRequestSchema, readBody(event, MAX_ATTESTATION_BODY_BYTES));
    const answer = json(await attest(services, caller, request, idempotencyKey));
    const warning = warningOf(request);
    return warning === null
      ? answer
      : { ...answer, headers: { ...answer.headers, [WARNING_HEADER]: warning } };
  }, tellLimit),
);
