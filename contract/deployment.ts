// The parts of a deployment, for its operator: published by the stack as one SSM parameter, or by the local stack in its
// data folder. The stack's holds no secret.
import * as z from "zod";
import { planShape } from "./plans.ts";

const text = z.string().min(1);

const deployedPlanSchema = z.object({
  ...planShape,
  /** API Gateway's usage plan; null where there is no API Gateway. */
  usagePlanId: text.nullable(),
});

export const deploymentSchema = z.object({
  name: text,
  tableName: text,
  rootsBucket: text,
  billsBucket: text,
  macKeyId: text,
  /** Keys that made codes of older receipts. */
  retiredMacKeyIds: z.array(text),
  /** Null where there is no API Gateway, as in the local stack. */
  apiId: text.nullable(),
  /** The plans by their names. The first one is for tenants for which no plan is named. */
  plans: z.record(z.string(), deployedPlanSchema),
  sealIntervalMinutes: z.number().positive(),
  url: z.url(),
  /** True where the deployment asks the timestamp authorities that come with the project, and no other ones. */
  knownAuthorities: z.boolean(),
  /** The tlog-policy with the witnesses that the log asks; null where it asks none. */
  witnessPolicy: text.nullable(),
});
export type Deployment = z.infer<typeof deploymentSchema>;

/** The name of the SSM parameter. */
export const deploymentParameter = (name: string): string => `/disclosure-receipts/${name}`;

/** The local stack's, with the addresses of its parts for as long as its process lives. */
export const localDeploymentSchema = deploymentSchema.extend({
  pid: z.int().positive(),
  /** Whom the parts answer. The file is its owner's alone. */
  accessKey: text,
  endpoints: z.object({ dynamoDb: z.url(), s3: z.url(), kms: z.url() }),
  /** PEM. */
  trustAnchorsFile: text,
});
export type LocalDeployment = z.infer<typeof localDeploymentSchema>;

/** In the local stack's data folder. */
export const LOCAL_DEPLOYMENT_FILE = "deployment.json";
