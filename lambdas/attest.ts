// POST /v1/attestation: records one disclosure and answers with its compliance receipt.
import { attestationRequestSchema } from "../core/attestation-request.ts";
import { policyLayers } from "../policy/index.ts";
import { Appenders } from "../service/appenders.ts";
import { type AttestationServices, attest } from "../service/attestations.ts";
import { openInlineStamp, openMacs, openTable, systemClock } from "../service/connections.ts";
import { apiHandler, json } from "./middleware/api.ts";
import { logAuthorityFailure } from "./middleware/authority-log.ts";
import { measured, meter } from "./middleware/metrics.ts";
import { readAs, readBody, readCaller, readIdempotencyKey } from "./middleware/request.ts";

const MAX_BODY_BYTES = 8 * 1024;

const macs = openMacs();
const services: AttestationServices = {
  appenders: new Appenders({ table: openTable(), macs, clock: systemClock, meter }),
  macs,
  meter,
  layers: policyLayers,
  ...openInlineStamp(logAuthorityFailure),
};

export const handler = measured(
  apiHandler(async (event) => {
    const caller = readCaller(event, "attest");
    const idempotencyKey = readIdempotencyKey(event);
    const request = readAs(attestationRequestSchema, readBody(event, MAX_BODY_BYTES));
    return json(await attest(services, caller, request, idempotencyKey));
  }),
);
