// `npm run python:fields`: writes the fields of a request, and of a receipt's disclosure, that the Python package ships. A
// test fails while that file is not what the schemas say.
import { writeFileSync } from "node:fs";
import * as z from "zod";
import { attestationRequestSchema } from "../evidence/core/formats/attestation-request.ts";
import { PLAIN_ERRORS } from "../evidence/core/formats/plain-errors.ts";
import { receiptCoreSchema } from "../evidence/core/formats/receipt.ts";

export const FIELDS_FILE = new URL("../clients/python/src/disclosure_receipts/fields.json", import.meta.url);
/** No field may hold it, so each says its rule. */
const WRONG = "\n";

/** A field's form in the words of JSON Schema, and the rule that a caller is told. Python knows the date-time of its own. */
export function pythonFields(): string {
  const fields = {
    request: fieldsOf(attestationRequestSchema.shape, (schema) => ({ rule: ruleOf(schema) })),
    disclosure: fieldsOf(receiptCoreSchema.shape.disclosure.shape, () => ({})),
  };
  return `${JSON.stringify(fields, null, 2)}\n`;
}

const fieldsOf = (shape: Readonly<Record<string, z.ZodType>>, more: (schema: z.ZodType) => object): object =>
  Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => {
      const optional = schema instanceof z.ZodOptional && { optional: true };
      return [name, { ...formOf(schema), ...more(schema), ...optional }];
    }),
  );

/** A list of values beside a pattern is the service's to check: it is longer, and changes. */
function formOf(schema: z.ZodType): object {
  const { type, format, pattern, const: only, enum: values } = z.toJSONSchema(schema);
  if (type !== "string") throw new Error("the Python package knows fields that are texts");
  if (format !== undefined) return { format };
  if (pattern !== undefined) return { pattern };
  return only !== undefined ? { enum: [only] } : values !== undefined ? { enum: values } : {};
}

const ruleOf = (schema: z.ZodType): string =>
  schema.safeParse(WRONG, PLAIN_ERRORS).error?.issues[0]?.message ?? "";

if (import.meta.main) {
  writeFileSync(FIELDS_FILE, pythonFields());
  console.log("clients/python/src/disclosure_receipts/fields.json is current");
}
