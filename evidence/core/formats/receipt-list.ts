// The answer of GET /v1/receipts: a tenant's receipts of a range of time, page by page. A row is no evidence: its report is.
import * as z from "zod";
import { MODALITIES } from "./attestation-request.ts";
import { VERDICTS } from "./receipt.ts";
import {
  chainIdSchema,
  digestSchema,
  indexSchema,
  instantSchema,
  MAX_LIST_LENGTH,
  sizeSchema,
} from "./shapes.ts";

/** An end of the range as a caller writes it: an RFC 3339 instant, or a date, which stands for its first moment in UTC. */
export const rangeEndSchema = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);
export const isRangeEnd = (text: string): boolean => rangeEndSchema.safeParse(text).success;

/** The most receipts of one page. */
export const MAX_PAGE_RECEIPTS = 100;

const listedReceiptSchema = z.object({
  event_id: z.uuid(),
  issued_at: instantSchema,
  chain_id: chainIdSchema,
  sequence: indexSchema,
  turn: sizeSchema,
  verdict: z.enum(VERDICTS),
  subject_hash: digestSchema,
  wording_id: z.string().nullable(),
  disclosure_method: z.string(),
  modality: z.enum(MODALITIES),
  jurisdiction: z.string(),
  findings: z.array(z.string()).max(MAX_LIST_LENGTH),
});
export type ListedReceipt = z.infer<typeof listedReceiptSchema>;

export const receiptListSchema = z
  .object({
    receipts: z
      .array(listedReceiptSchema)
      .max(MAX_PAGE_RECEIPTS)
      .describe("Chain by chain, in the order of shard and sequence: within a chain by time"),
    next: z
      .string()
      .nullable()
      .describe("The cursor of the next page, which an empty page can have too; null on the last one"),
  })
  .meta({ id: "ReceiptList" });
export type ReceiptList = z.infer<typeof receiptListSchema>;
