// The shapes of the API that no receipt holds: the verdict of verify-inclusion, and problem details.
import * as z from "zod";
import { indexSchema, instantSchema } from "../core/formats/shapes.ts";

export const inclusionVerdictSchema = z
  .object({
    valid: z.boolean().describe("No check failed"),
    checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })),
    published: z.object({ seal_index: indexSchema, sealed_at: instantSchema }).nullable(),
  })
  .meta({ id: "InclusionVerdict" });
export type InclusionVerdict = z.infer<typeof inclusionVerdictSchema>;

export const problemDetailsSchema = z
  .object({
    type: z.string().describe("Leads to what the problem means and what to do"),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string().describe("The request id"),
    errors: z
      .array(z.object({ pointer: z.string().describe("JSON pointer as a URI fragment"), detail: z.string() }))
      .optional(),
  })
  .meta({ id: "ProblemDetails" });
