// The details of the events on the bus (docs/events.md). None holds an identifier of a conversation or of a person.
import * as z from "zod";
import { type EventType, FAULT_KINDS } from "../../../contract/events.ts";
import { LIMITS } from "../../../contract/problem-details.ts";
import { indexSchema, instantSchema, nodeSchema, sizeSchema } from "./shapes.ts";

const deployment = z.string().min(1).describe("The deployment's name");

export const sealPublishedSchema = z.object({
  deployment,
  seal_index: indexSchema,
  merkle_root: nodeSchema,
  tree_size: sizeSchema.describe("The metachain's entries under this root"),
  receipt_count: indexSchema.describe("The receipts that this seal is the first to cover"),
  sealed_at: instantSchema,
  tokens: indexSchema.describe("The timestamp tokens that it was published with; others may follow"),
});

export const faultSchema = z.object({
  deployment,
  kind: z.enum(FAULT_KINDS),
  count: sizeSchema.describe("How many there were, or how many there are now"),
});

export const limitReachedSchema = z.object({
  deployment,
  tenant_id: z.string().min(1),
  plan: z.string().min(1),
  limit: z.enum(LIMITS),
  ends_at: instantSchema,
});

/** The detail of each type of event. */
export const EVENT_SCHEMAS = {
  SealPublished: sealPublishedSchema,
  Fault: faultSchema,
  LimitReached: limitReachedSchema,
} as const satisfies Record<EventType, z.ZodType>;

/** A detail without the deployment's name, which the bus adds. */
export type EventDetail<T extends EventType> = Omit<z.infer<(typeof EVENT_SCHEMAS)[T]>, "deployment">;
