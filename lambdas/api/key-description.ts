// The answer of GET /v1/key.
import * as z from "zod";
import { instantSchema } from "../../evidence/core/formats/shapes.ts";
import { SCOPES } from "../../service/tenants/tenants.ts";

const limit = z.int().positive().nullable();

export const keyDescriptionSchema = z
  .object({
    tenant_id: z.string(),
    key_id: z.string().describe("The part of the key that is no secret; the operator knows the key by it"),
    scopes: z.array(z.string()).describe(`What the key may do: ${SCOPES.join(", ")}`),
    expires_at: z.iso.datetime().nullable().describe("When the key ends; null for one that has no end"),
    chains: z.int().positive().describe("The tenant's conversations are spread over so many chains"),
    plan: z.object({
      name: z.string(),
      rate: limit.describe(
        "Calls a second, sustained, of all keys of the tenant; null where there is no limit",
      ),
      burst: limit.describe("Calls at once; null where there is no limit"),
      monthly_quota: limit.describe("Attestations in a calendar month (UTC); null where there is no limit"),
    }),
    month: z.object({
      receipts: z
        .int()
        .nonnegative()
        .describe("The tenant's receipts of this month, as the quota counts them"),
      counted_at: instantSchema.describe("When they were counted: a count serves for half a minute"),
      ends_at: instantSchema.describe("When the next month begins"),
    }),
  })
  .meta({ id: "Key" });
export type KeyDescription = z.infer<typeof keyDescriptionSchema>;
