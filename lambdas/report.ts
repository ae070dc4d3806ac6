// GET /v1/attestation/{event_id}: the same receipt with its proofs as of now.
import { openMacs, openRenewals, openTable } from "../service/connections.ts";
import { readReport } from "../service/reports/reports.ts";
import { apiHandler, json } from "./middleware/api.ts";
import { readPathText } from "./middleware/path-parameters.ts";
import { readCaller } from "./middleware/request.ts";

const table = openTable();
const services = { table, macs: openMacs(), findRenewal: openRenewals(table) };

export const handler = apiHandler(async (event) => {
  const caller = readCaller(event, "report");
  return json(await readReport(services, caller, readPathText(event, "event_id")));
});
