// GET /v1/usage: the bill of one of the tenant's months, of the current one unless another is named, page by page.
import * as z from "zod";
import { MAX_CHAINS } from "../contract/limits.ts";
import { MONTH_NAME, monthNamed, monthOf } from "../evidence/core/formats/month.ts";
import { Bills } from "../service/bill/bills.ts";
import { openStoredBills } from "../service/opening/bills.ts";
import { openTable } from "../service/opening/connections.ts";
import { openPlans } from "../service/opening/limits.ts";
import { apiHandler, json } from "./middleware/api.ts";
import { readAs, readCaller } from "./middleware/request.ts";

const table = openTable();
const bills = new Bills({ table, plans: openPlans(), stored: openStoredBills() });

const SHARD = `must be the number of a chain, from 0 to ${MAX_CHAINS - 1}`;

const querySchema = z.strictObject({
  month: z.string().regex(MONTH_NAME, "must be a month, YYYY-MM").optional(),
  from_shard: z
    .string()
    .regex(/^(?:0|[1-9]\d{0,3})$/, SHARD)
    .transform(Number)
    .pipe(z.int().max(MAX_CHAINS - 1, SHARD))
    .default(0),
});

export const handler = apiHandler(async (event) => {
  const { tenantId } = readCaller(event, "report");
  const { month, from_shard: fromShard } = readAs(querySchema, event.queryStringParameters ?? {});
  const of = month === undefined ? monthOf(table.clock()) : monthNamed(month);
  return json(await bills.page(tenantId, of, fromShard));
});
