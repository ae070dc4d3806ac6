// The bill of a tenant's month (docs/bill.md): how far each of its chains grew in the month, proven by receipts at both
// ends of the month under published heads, and what that costs.
import * as z from "zod";
import { MAX_CHAINS } from "../../../contract/limits.ts";
import { priceSchema } from "../../../contract/plans.ts";
import { HOUR_MS, MINUTE_MS } from "../../../contract/time.ts";
import { crossTenantProofSchema } from "./compliance-receipt.ts";
import { MONTH_NAME } from "./month.ts";
import { receiptCoreSchema } from "./receipt.ts";
import {
  chainIdSchema,
  digestSchema,
  indexSchema,
  instantSchema,
  nodeSchema,
  pathSchema,
  sizeSchema,
} from "./shapes.ts";

export const BILL_FORMAT_VERSION = "1.0";
/** A month is closed so long after its end: no receipt can be dated into it any more. Milliseconds. */
export const CLOSED_AFTER_MS = HOUR_MS;
/** A seal that was made so long before a bill is published by then, or the operator has had an alarm. Milliseconds. */
export const PUBLISHED_WITHIN_MS = 15 * MINUTE_MS;

/** A receipt next to one of the month's ends, and its path into the tree of the line's `closing` head. */
const billedReceiptSchema = z.object({ receipt: receiptCoreSchema, path: pathSchema });

/** One chain. Its receipts of the month are those from the sequence `from` up to, and not including, `to`. */
const billLineSchema = z.object({
  chain_id: chainIdSchema,
  shard: indexSchema.describe("Which of the tenant's chains, from 0"),
  from: indexSchema.describe("sequence of the first receipt of the month, or where it would be"),
  to: indexSchema.describe("sequence after the last receipt of the month"),
  count: indexSchema.describe("to - from"),
  opening: crossTenantProofSchema
    .nullable()
    .describe("The chain's newest published head of at most `from` receipts; null where there is none"),
  closing: crossTenantProofSchema.describe(
    "The chain's first published head of more than `to` receipts; its newest, where there is none",
  ),
  consistency_path: pathSchema
    .nullable()
    .describe("RFC 9162 section 2.1.4 path between the trees of opening and closing; null without opening"),
  before: billedReceiptSchema
    .nullable()
    .describe("The receipt from - 1; null where `from` is 0, or where retention removed it"),
  first: billedReceiptSchema.nullable().describe("The receipt `from`; null where `count` is 0"),
  last: billedReceiptSchema.nullable().describe("The receipt to - 1; null where `count` is 0"),
  after: billedReceiptSchema.nullable().describe("The receipt `to`; null where `closing` does not hold it"),
});

const amountSchema = z.object({
  currency: z.string(),
  base: indexSchema,
  tiers: z.array(z.object({ receipts: indexSchema, per_thousand: indexSchema })),
  total: indexSchema.describe("base and tiers in minor units, rounded half up once"),
});

export const billSchema = z
  .object({
    bill_format_version: z.literal(BILL_FORMAT_VERSION),
    tenant: z.object({ id: z.string(), fingerprint: digestSchema }),
    month: z
      .string()
      .regex(MONTH_NAME)
      .describe("YYYY-MM, UTC: receipts belong to the month of their issued_at"),
    status: z
      .enum(["open", "final"])
      .describe("final once the month ended an hour ago and published heads hold all of its receipts"),
    made_at: instantSchema,
    as_of: z
      .object({ seal_index: indexSchema, merkle_root: nodeSchema, tree_size: sizeSchema })
      .nullable()
      .describe("The newest published seal when the bill was made; null before the first"),
    chains: sizeSchema.describe(
      "How many chains the tenant has; those without a published receipt have no line",
    ),
    lines: z.array(billLineSchema).max(MAX_CHAINS).describe("In the order of shard"),
    next_shard: indexSchema
      .nullable()
      .describe("Where the next page begins (?from_shard=), or null at the end"),
    count: indexSchema.describe(
      "The receipts of all chains in the month, of those that published heads hold",
    ),
    plan: z.object({ name: z.string(), price: priceSchema.nullable() }),
    amount: amountSchema.nullable().describe("null where the plan has no price"),
  })
  .meta({ id: "Bill" });

export type Bill = z.infer<typeof billSchema>;
export type BillLine = z.infer<typeof billLineSchema>;
export type BilledReceipt = z.infer<typeof billedReceiptSchema>;
export type BillAmount = z.infer<typeof amountSchema>;
