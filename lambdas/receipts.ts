// GET /v1/receipts: the tenant's receipts of a range of time, chain by chain and page by page.
import * as z from "zod";
import { VERDICTS } from "../evidence/core/formats/receipt.ts";
import { isRangeEnd, type ReceiptList } from "../evidence/core/formats/receipt-list.ts";
import { digestSchema, instantSchema } from "../evidence/core/formats/shapes.ts";
import { WORDING_ID } from "../evidence/core/policy/policy-layer.ts";
import { openTable } from "../service/opening/connections.ts";
import { formatCursor, parseCursor } from "../service/reports/list-cursor.ts";
import { listReceipts } from "../service/reports/receipt-list.ts";
import { apiHandler, json } from "./middleware/api.ts";
import { readAs, readCaller } from "./middleware/request.ts";

const table = openTable();

const INSTANT = "must be a date (2026-11-01) or an RFC 3339 instant (2026-11-01T00:00:00Z)";
const WORDING = "must be the id of a wording, or sha256: and 64 lower-case hex digits";

const instant = z
  .string()
  .refine(isRangeEnd, INSTANT)
  .transform((text) => new Date(text).toISOString())
  // A year of five digits has another length, and so another order.
  .pipe(instantSchema)
  .nullable()
  .default(null);

const querySchema = z
  .strictObject({
    from: instant,
    to: instant,
    verdict: z
      .enum(VERDICTS, `must be ${VERDICTS.join(", ")}`)
      .nullable()
      .default(null),
    wording: z
      .union([digestSchema, z.string().regex(WORDING_ID)], WORDING)
      .nullable()
      .default(null),
    cursor: z.string().nullable().default(null),
  })
  .refine(({ from, to }) => from === null || to === null || from < to, {
    path: ["to"],
    message: "must be later than from",
  });

export const handler = apiHandler(async (event) => {
  const caller = readCaller(event, "report");
  const { cursor, ...query } = readAs(querySchema, event.queryStringParameters ?? {});
  const start = cursor === null ? { shard: 0, sequence: 0 } : parseCursor(cursor, query);
  const { receipts, next } = await listReceipts(table, caller, query, start);
  const answer: ReceiptList = { receipts, next: next && formatCursor(next, query) };
  return json(answer);
});
