// The answers of GET /v1/status and GET /v1/health.
import * as z from "zod";
import { INTERFACE_STATUS, interfaceStatusShape } from "../../contract/interface-status.ts";
import { HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import { policyIndexSchema } from "../../evidence/core/formats/policy-index.ts";
import { instantSchema, sizeSchema } from "../../evidence/core/formats/shapes.ts";
import { MAX_QUORUM_AGE_MS } from "../../evidence/core/log/open-checkpoint.ts";
import type { PolicyLayer } from "../../evidence/core/policy/policy-layer.ts";
import { type LogReading, READING_LIFETIME_MS } from "../../service/audit/log-readings.ts";
import { listJurisdictions } from "../../service/policy/policy-index.ts";

export const healthSchema = z.object({ status: z.literal("ok") }).meta({ id: "Health" });

const quorumSchema = z
  .object({
    status: z
      .enum(["recent", "old", "none", "not_asked", "unknown"])
      .describe(
        `\`old\`: more than ${MAX_QUORUM_AGE_MS / HOUR_MS} hours before \`read_at\`; \`none\`: not in the newest checkpoints; \`not_asked\`: this service asks no witness; \`unknown\`: the checkpoints could not be read, or do not hold`,
      ),
    at: instantSchema
      .nullable()
      .describe("The time of the oldest cosignature that the quorum needs; null without a quorum"),
    tree_size: sizeSchema.nullable().describe("The size of the tree that it cosigned"),
  })
  .describe("The newest quorum of the witnesses that the service asks");

const logSchema = z.object({
  read_at: instantSchema.describe(
    `When the service read this of its published files; up to ${READING_LIFETIME_MS / MINUTE_MS} minute before the answer`,
  ),
  status: z
    .enum(["published", "not_published", "unknown"])
    .describe("`not_published`: there is no root yet; `unknown`: it could not be read now"),
  origin: z
    .string()
    .min(1)
    .nullable()
    .describe("The log's name; null before it has one, and where it is unknown"),
  head: z
    .object({ tree_size: sizeSchema, sealed_at: instantSchema })
    .nullable()
    .describe("The newest published root: its entries, and its time by the service's clock"),
  quorum: quorumSchema,
});

export const serviceStatusSchema = z
  .object({
    ...interfaceStatusShape,
    jurisdictions: policyIndexSchema.shape.jurisdictions,
    log: logSchema,
  })
  .meta({ id: "ServiceStatus" });
export type ServiceStatus = z.infer<typeof serviceStatusSchema>;

/** `layers` are those of this deployment. */
export const buildServiceStatus = (layers: readonly PolicyLayer[], log: LogReading): ServiceStatus => ({
  ...INTERFACE_STATUS,
  jurisdictions: listJurisdictions(layers),
  log,
});
