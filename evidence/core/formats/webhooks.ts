// The messages of a tenant's webhook (docs/events.md), in the shape of Standard Webhooks. They hold ids of receipts and
// no identifier of a conversation or of an agent.
import * as z from "zod";
import { receiptCoreSchema } from "./receipt.ts";
import { chainIdSchema, indexSchema, instantSchema } from "./shapes.ts";

/** Receipts that one message names at most. */
export const MAX_EVENT_IDS = 100;

const { event_id: eventId, verdict, policy, issued_at: issuedAt } = receiptCoreSchema.shape;
const timestamp = instantSchema.describe("When the seal was made that the message tells of");
const sealIndex = indexSchema.describe("The published seal that covers the receipts");

export const receiptsSealedSchema = z.object({
  type: z.literal("receipts.sealed"),
  timestamp,
  data: z.object({
    chain_id: chainIdSchema,
    seal_index: sealIndex,
    event_ids: z.array(eventId).min(1).max(MAX_EVENT_IDS).describe("In the order of the chain"),
  }),
});

export const receiptVerdictSchema = z.object({
  type: z.literal("receipt.verdict"),
  timestamp,
  data: z.object({
    event_id: eventId,
    verdict: verdict.describe("MODIFY or BLOCK"),
    findings: policy.shape.findings,
    issued_at: issuedAt,
    chain_id: chainIdSchema,
    seal_index: sealIndex,
  }),
});

export const webhookTestSchema = z.object({
  type: z.literal("webhook.test"),
  timestamp: instantSchema,
  data: z.object({}),
});

/** The message of each type. */
export const WEBHOOK_SCHEMAS = {
  "receipts.sealed": receiptsSealedSchema,
  "receipt.verdict": receiptVerdictSchema,
  "webhook.test": webhookTestSchema,
} as const;
export type WebhookBody = z.infer<(typeof WEBHOOK_SCHEMAS)[keyof typeof WEBHOOK_SCHEMAS]>;

/** The kinds that a tenant may choose among, by the names that operators use. */
export const WEBHOOK_EVENTS = { sealed: "receipts.sealed", verdict: "receipt.verdict" } as const;
export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;
