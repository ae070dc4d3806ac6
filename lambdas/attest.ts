// POST /v1/attestation: records one disclosure and answers with its compliance receipt.
import { MAX_ATTESTATION_BODY_BYTES } from "../contract/limits.ts";
import { attestationRequestSchema } from "../core/formats/attestation-request.ts";
import { policyLayers } from "../policy/index.ts";
import { type AttestationServices, attest } from "../service/attestations/attestations.ts";
import { ChainStamps } from "../service/attestations/chain-stamps.ts";
import {
  openInlineStamp,
  openMacs,
  openProcessKind,
  openTable,
  openTokenTimes,
} from "../service/connections.ts";
import { Appenders } from "../service/ledger/appender-pool.ts";
import { describeError, logger } from "../service/logger.ts";
import { openMonthQuota } from "../service/open-limits.ts";
import { StampedSeals } from "../service/seals/stamped-seals.ts";
import { stopping } from "../service/stopping.ts";
import { apiHandler, json } from "./middleware/api.ts";
import { logAuthorityFailure } from "./middleware/authority-log.ts";
import { measured, meter } from "./middleware/metrics.ts";
import { readAs, readBody, readCaller, readIdempotencyKey } from "./middleware/request.ts";

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
    clock: table.clock,
    meter,
    processKind: openProcessKind(),
    stopping,
  }),
  stamps: inline && new ChainStamps({ ...inline, table, onFault: logFault, stopping }),
  macs,
  meter,
  clock: table.clock,
  layers: policyLayers,
};

export const handler = measured(
  apiHandler(async (event) => {
    const caller = readCaller(event, "attest");
    const idempotencyKey = readIdempotencyKey(event);
    const request = readAs(attestationRequestSchema, readBody(event, MAX_ATTESTATION_BODY_BYTES));
    return json(await attest(services, caller, request, idempotencyKey));
  }),
);
