// The published index of the wording policy: what is there for each jurisdiction, and under which digests its layers are.
import * as z from "zod";
import { LAYER_ROUTE } from "../../../contract/policy-paths.ts";
import { digestSchema, instantSchema, MAX_LIST_LENGTH } from "./shapes.ts";

const layerStatusSchema = z
  .enum(["active", "in_development", "planned"])
  .describe("Only an active layer accepts attestations; one in development, those of preview tenants");
const versionSchema = z.string().describe("The day of the layer's last change, and a count within that day");

/** GET /v1/policy */
export const policyIndexSchema = z
  .object({
    checked_on: z.iso.date().describe("The day on which the statuses were last checked"),
    jurisdictions: z
      .array(
        z.object({
          jurisdiction: z.string().describe("ISO 3166-1 alpha-2"),
          name: z.string().describe("The country in English"),
          status: layerStatusSchema,
          version: versionSchema,
          digest: digestSchema.describe("The current layer"),
        }),
      )
      .max(MAX_LIST_LENGTH),
    capabilities: z
      .array(z.object({ capability: z.string(), status: z.string(), note: z.string().optional() }))
      .max(MAX_LIST_LENGTH),
    layers: z.literal(LAYER_ROUTE).describe("Where the layers are; `digest` stands for its 64 hex digits"),
  })
  .meta({ id: "PolicyIndex" });
export type PolicyIndex = z.infer<typeof policyIndexSchema>;

/** GET /v1/policy/{jurisdiction} */
export const jurisdictionPolicySchema = z
  .object({
    jurisdiction: z.string().describe("ISO 3166-1 alpha-2"),
    status: layerStatusSchema,
    current: digestSchema.describe("The layer that is applied to attestations of today"),
    layers: z
      .array(z.object({ digest: digestSchema, version: versionSchema, published_at: instantSchema }))
      .max(MAX_LIST_LENGTH)
      .describe("The current layer and all former ones, in the order of their publication"),
  })
  .meta({ id: "JurisdictionPolicy" });
export type JurisdictionPolicy = z.infer<typeof jurisdictionPolicySchema>;
