// The faults of a value in plain sentences, and none in the words of the schema library.
import { expect, test } from "vitest";
import * as z from "zod";
import { PLAIN_ERRORS } from "../../../../evidence/core/formats/plain-errors.ts";
import {
  chainIdSchema,
  indexSchema,
  instantSchema,
  pathSchema,
  sizeSchema,
} from "../../../../evidence/core/formats/shapes.ts";

const NODE = `0x${"0".repeat(64)}`;

test.each<[string, z.ZodType, unknown]>([
  ["is missing", z.object({}), undefined],
  ["must be an object", z.object({}), 7],
  ["must be a list", pathSchema, "x"],
  ["must be an integer", indexSchema, 1.5],
  ["must be true or false", z.boolean(), "true"],
  ["must be a text", z.string(), null],
  ['must be "1"', z.literal("1"), "2"],
  ['must be one of "pending", "included"', z.enum(["pending", "included"]), "x"],
  ["must be base64", z.base64(), "$"],
  ["must be a time, such as 2026-01-31T12:00:00.000Z", instantSchema, "yesterday"],
  ["must be a date, such as 2026-01-31", z.iso.date(), "2026-02-30"],
  ["must match /^a$/", z.string().regex(/^a$/), "b"],
  ["must be 32 lower-case hex digits", chainIdSchema, "x"],
  ["must be more than 0", sizeSchema, 0],
  ["must be at least 0", indexSchema, -1],
  ["must be at most 3", z.number().max(3), 4],
  ["must have at most 54 members", pathSchema, Array(55).fill(NODE)],
  ["must have exactly 1 member", z.array(z.unknown()).length(1), []],
  ["must have at least 1 character", z.string().min(1), ""],
  ['has "a", "b", which it must not have', z.strictObject({}), { a: 1, b: 2 }],
  ["is not as the format says", z.union([z.literal(1), z.literal(2)]), 3],
  ["says why", z.string().regex(/^a$/, "says why"), "b"],
])("%s", (sentence, schema, value) => {
  expect(schema.safeParse(value, PLAIN_ERRORS).error?.issues[0]?.message).toBe(sentence);
});
