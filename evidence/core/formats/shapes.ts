// The shapes of single members that several formats share (docs/receipt-format.md, "Reading").
import * as z from "zod";

const CHAIN_ID = /^[0-9a-f]{32}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const NODE = /^0x[0-9a-f]{64}$/;
/** A tree of 2^53 leaves has fewer levels. */
export const MAX_PATH_LENGTH = 54;
/** The most members of a list that has no smaller limit: the service gives a page of 500 turns at most. */
export const MAX_LIST_LENGTH = 2_000;

export const indexSchema = z.int().nonnegative();
export const sizeSchema = z.int().positive();
export const instantSchema = z.iso.datetime({ precision: 3 });
/** RFC 3339 in UTC with or without milliseconds: a time that a caller states. */
export const statedInstantSchema = z
  .string()
  .refine(
    (text) => z.union([z.iso.datetime({ precision: 0 }), instantSchema]).safeParse(text).success,
    "must be YYYY-MM-DDThh:mm:ssZ or YYYY-MM-DDThh:mm:ss.sssZ",
  )
  .meta({ format: "date-time", pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$` });
export const chainIdSchema = z
  .string()
  .regex(CHAIN_ID, "must be 32 lower-case hex digits")
  .describe("Opaque id of the chain; says nothing about the tenant");
export const digestSchema = z.string().regex(DIGEST, "must be sha256: and 64 lower-case hex digits");
export const nodeSchema = z.string().regex(NODE, "must be 0x and 64 lower-case hex digits");
export const pathSchema = z.array(nodeSchema).max(MAX_PATH_LENGTH);
