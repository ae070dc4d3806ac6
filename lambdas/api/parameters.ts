// The parameters of the calls, for their OpenAPI description.
import * as z from "zod";
import { IDEMPOTENCY_KEY, MAX_CHAINS, MAX_TURN } from "../../contract/limits.ts";
import { LAYER_NAME } from "../../contract/policy-paths.ts";
import { interactionIdSchema } from "../../evidence/core/formats/attestation-request.ts";
import { MAX_SEQUENCE } from "../../evidence/core/formats/event-id.ts";
import { MONTH_NAME } from "../../evidence/core/formats/month.ts";
import { VERDICTS } from "../../evidence/core/formats/receipt.ts";
import { rangeEndSchema } from "../../evidence/core/formats/receipt-list.ts";
import { chainIdSchema } from "../../evidence/core/formats/shapes.ts";
import { CURSOR } from "../../service/reports/list-cursor.ts";

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description: string;
  readonly schema: z.ZodType;
  readonly example: string | number;
}

/** A `subject_hash`, or the id of a wording. */
const WORDING = /^(?:sha256:[0-9a-f]{64}|[a-z0-9-]{1,64})$/;

type ParameterRest = Pick<Parameter, "schema" | "description" | "example">;

const path = (name: string, rest: ParameterRest): Parameter => ({
  name,
  in: "path",
  required: true,
  ...rest,
});

export const idempotencyKey: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "One key for each disclosure, and never one for two. The same key and body give the same receipt again, for 24 hours; the same key with another body is a 409",
  schema: z.string().regex(IDEMPOTENCY_KEY),
  example: "5f0c1d9e-8a51-4a0b-9d0e-0f6f2f1c7a11",
};

export const eventId = path("event_id", {
  description: "The event's id, as in its receipt",
  schema: z.uuid(),
  example: "9b1c7c1e-6f1a-8d2e-9000-000000000001",
});

export const asOf: Parameter = {
  name: "as_of",
  in: "query",
  required: false,
  description:
    "`newest`: the proofs lead to the chain's newest published head under the newest seal. Without it they lead to the first head that covers the receipt, under the first seal over that, and never change",
  schema: z.literal("newest"),
  example: "newest",
};

export const interactionId = path("interaction_id", {
  description: "The conversation's id, percent-encoded; slashes may stay as they are",
  schema: interactionIdSchema,
  example: "call-2026-11-22-17",
});

export const fromTurn: Parameter = {
  name: "from_turn",
  in: "query",
  required: false,
  description: "The first turn of the page: `next_turn` of the page before",
  schema: z.int().positive().max(MAX_TURN),
  example: 1,
};

const query = (name: string, rest: ParameterRest): Parameter => ({
  name,
  in: "query",
  required: false,
  ...rest,
});

export const receiptList: readonly Parameter[] = [
  query("from", {
    description: "The earliest `issued_at`: an RFC 3339 instant, or a date, whose day begins in UTC",
    schema: rangeEndSchema,
    example: "2026-11-01",
  }),
  query("to", {
    description: "The first `issued_at` that is not listed any more",
    schema: rangeEndSchema,
    example: "2026-12-01",
  }),
  query("verdict", {
    description: "Receipts with this verdict only",
    schema: z.enum(VERDICTS),
    example: "BLOCK",
  }),
  query("wording", {
    description: "Receipts of this wording only: its id, or a `subject_hash`",
    schema: z.string().regex(WORDING),
    example: "de-voice-introduction-1",
  }),
  query("cursor", {
    description: "`next` of the page before, with the same other parameters",
    schema: z.string().regex(CURSOR),
    example: "AAAAAAAAAAJ2mZ0Xh3e0a1tq0Lr5bY9k",
  }),
];

export const chainId = path("chain_id", {
  description: "The chain's id, as in its receipts",
  schema: chainIdSchema,
  example: "72e0508db77c90607d9e507adbd1904e",
});

export const fromSize: Parameter = {
  name: "from",
  in: "query",
  required: false,
  description: "The size of the chain from which the page goes on: `next` of the page before",
  schema: z.int().nonnegative().max(MAX_SEQUENCE),
  example: 0,
};

export const bundlePlace = path("place", {
  description:
    "The bundle's place as in C2SP tlog-tiles, slashes included: `x001/067`, or `x001/067.p/12` of a partial one",
  schema: z.string().regex(/^(?:x\d{3}\/)*\d{3}(?:\.p\/\d{1,3})?$/),
  example: "000.p/1",
});

export const month: Parameter = {
  name: "month",
  in: "query",
  required: false,
  description: "The month, YYYY-MM (UTC); without it the current one",
  schema: z.string().regex(MONTH_NAME),
  example: "2026-11",
};

export const fromShard: Parameter = {
  name: "from_shard",
  in: "query",
  required: false,
  description: "The first chain of the page: `next_shard` of the page before",
  schema: z
    .int()
    .nonnegative()
    .max(MAX_CHAINS - 1),
  example: 0,
};

export const sealIndex = path("index", {
  description: "The seal's index, from 0",
  schema: z.int().nonnegative(),
  example: 0,
});

export const laterToken = path("n", {
  description: "Which of the seal's later tokens, from 0",
  schema: z.int().nonnegative(),
  example: 0,
});

export const jurisdiction = path("jurisdiction", {
  description: "ISO 3166-1 alpha-2, in upper case",
  schema: z.string().regex(/^[A-Z]{2}$/),
  example: "DE",
});

export const layerDigest = path("digest", {
  description: "The 64 hex digits of the layer's digest, in lower case and without `sha256:`",
  schema: z.string().regex(LAYER_NAME),
  example: "5e".repeat(32),
});
