// The answer of POST /v1/verify-inclusion.
import * as z from "zod";
import { indexSchema, instantSchema } from "../../evidence/core/formats/shapes.ts";

export const inclusionVerdictSchema = z
  .object({
    valid: z.boolean().describe("No check failed"),
    checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })),
    published: z.object({ seal_index: indexSchema, sealed_at: instantSchema }).nullable(),
  })
  .meta({ id: "InclusionVerdict" });
export type InclusionVerdict = z.infer<typeof inclusionVerdictSchema>;
