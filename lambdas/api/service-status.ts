// The answers of GET /v1/status and GET /v1/health.
import * as z from "zod";
import { INTERFACE_STATUS, interfaceStatusShape } from "../../contract/interface-status.ts";
import { policyIndexSchema } from "../../evidence/core/formats/policy-index.ts";
import type { PolicyLayer } from "../../evidence/core/policy/policy-layer.ts";
import { listJurisdictions } from "../../service/policy/policy-index.ts";

export const healthSchema = z.object({ status: z.literal("ok") }).meta({ id: "Health" });

export const serviceStatusSchema = z
  .object({
    ...interfaceStatusShape,
    jurisdictions: policyIndexSchema.shape.jurisdictions,
  })
  .meta({ id: "ServiceStatus" });
export type ServiceStatus = z.infer<typeof serviceStatusSchema>;

/** `layers` are those of this deployment. */
export const buildServiceStatus = (layers: readonly PolicyLayer[]): ServiceStatus => ({
  ...INTERFACE_STATUS,
  jurisdictions: listJurisdictions(layers),
});
