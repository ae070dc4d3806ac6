// The status of a service (GET /v1/status) as its readers take it. The service's own list of labels may grow, so a label
// is any word here.
import * as z from "zod";
import { policyIndexSchema } from "./policy-index.ts";
import { instantSchema, sizeSchema } from "./shapes.ts";

const word = z.string().min(1);
const noted = { status: word, note: word.optional() };

export const readStatusSchema = z.object({
  checked_on: z.iso.date(),
  availability: z.array(z.object({ ...noted, subject: word, statement: word })),
  endpoints: z.array(
    z.object({ ...noted, method: word, path: word, access: word, confirmed: z.iso.date().nullable() }),
  ),
  capabilities: z.array(z.object({ ...noted, capability: word, title: word })),
  jurisdictions: policyIndexSchema.shape.jurisdictions,
  log: z.object({
    read_at: instantSchema,
    status: word,
    origin: word.nullable(),
    head: z.object({ tree_size: sizeSchema, sealed_at: instantSchema }).nullable(),
    quorum: z.object({ status: word, at: instantSchema.nullable(), tree_size: sizeSchema.nullable() }),
  }),
});
export type ReadStatus = z.infer<typeof readStatusSchema>;
