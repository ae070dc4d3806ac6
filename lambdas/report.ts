// GET /v1/attestation/{event_id}: the same receipt with its proofs as of now.
import * as z from "zod";
import { RETRY_PENDING_SECONDS } from "../contract/limits.ts";
import { describeError, logger } from "../service/logger.ts";
import { openMacs, openRenewals, openTable } from "../service/opening/connections.ts";
import { openRoots } from "../service/opening/roots.ts";
import { readLogSignatures } from "../service/reports/log-signatures.ts";
import { type ReportServices, readReport } from "../service/reports/reports.ts";
import { apiHandler, json } from "./middleware/api.ts";
import { readPathText } from "./middleware/path-parameters.ts";
import { readAs, readCaller } from "./middleware/request.ts";

const logLookup = (error: unknown): void =>
  logger.error("the log's signatures could not be read", { failure: describeError(error) });

const table = openTable();
const services: ReportServices = {
  table,
  macs: openMacs(table),
  findRenewal: openRenewals(table),
  readLogSignatures: readLogSignatures({ roots: openRoots(), onFault: logLookup }),
};

const querySchema = z.strictObject({
  as_of: z.literal("newest", "must be newest, or left out").optional(),
});

export const handler = apiHandler(async (event) => {
  const caller = readCaller(event, "report");
  const { as_of } = readAs(querySchema, event.queryStringParameters ?? {});
  const report = await readReport(services, caller, readPathText(event, "event_id"), as_of);
  const answer = json(report);
  if (report.merkle_proof.status === "included") return answer;
  return { ...answer, headers: { ...answer.headers, "retry-after": String(RETRY_PENDING_SECONDS) } };
});
