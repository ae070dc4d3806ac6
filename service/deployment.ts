// What an operator must know of a deployment to reach it: published by the stack under one name, or by the local stack
// in its data folder. Nothing in it is secret.
import type { SSMClient } from "@aws-sdk/client-ssm";
import * as z from "zod";
import { DisclosureError } from "../core/errors.ts";
import { errorNameOf } from "./table/aws-error.ts";

const text = z.string().min(1);

/** As `lib/operator.ts` writes it; a test holds the two together. */
export const deploymentSchema = z.object({
  name: text,
  tableName: text,
  rootsBucket: text,
  macKeyId: text,
  /** Null where no API Gateway stands before the handlers. */
  apiId: text.nullable(),
  /** By the plan's name, the smallest plan first. */
  usagePlanIds: z.record(z.string(), text),
  chainsPerTenant: z.int().positive(),
  sealIntervalMinutes: z.number().positive(),
  url: z.url(),
  /** Whether it asks the timestamp authorities that come with the project, and no other ones. */
  knownAuthorities: z.boolean(),
});
export type Deployment = z.infer<typeof deploymentSchema>;

/** The local stack's own, with where its parts listen for as long as its process lives. */
export const localDeploymentSchema = deploymentSchema.extend({
  pid: z.int().positive(),
  endpoints: z.object({ dynamoDb: z.url(), s3: z.url(), kms: z.url() }),
  /** PEM. */
  trustAnchorsFile: text,
});
export type LocalDeployment = z.infer<typeof localDeploymentSchema>;

/** In the local stack's data folder. */
export const LOCAL_DEPLOYMENT_FILE = "deployment.json";

export const deploymentParameter = (name: string): string => `/disclosure-receipts/${name}`;

/** Throws `misconfigured`, in one line that says what to do. */
export async function readDeployment(client: SSMClient, name: string): Promise<Deployment> {
  const { GetParameterCommand } = await import("@aws-sdk/client-ssm");
  const region = await client.config.region().catch(noRegion);
  const command = new GetParameterCommand({ Name: deploymentParameter(name) });
  const { Parameter } = await client.send(command).catch((error: unknown) => unreadable(error, name, region));
  return parseDeployment(deploymentSchema, Parameter?.Value ?? "", `deployment ${name} in ${region}`);
}

/** Throws `misconfigured` where another version wrote the text, or something else. */
export function parseDeployment<T>(schema: z.ZodType<T>, value: string, what: string): T {
  try {
    return schema.parse(JSON.parse(value));
  } catch (cause) {
    const message = `what the ${what} says of itself can't be read; deploy it with this version again`;
    throw new DisclosureError("misconfigured", message, {}, cause);
  }
}

function unreadable(error: unknown, name: string, region: string): never {
  throw new DisclosureError(
    "misconfigured",
    reasonOf(error, name, region),
    { error: errorNameOf(error) },
    error,
  );
}

function reasonOf(error: unknown, name: string, region: string): string {
  const errorName = errorNameOf(error);
  if (errorName === "ParameterNotFound")
    return `there is no deployment ${name} in ${region}; give its --name and --region`;
  if (errorName === "CredentialsProviderError")
    return "no AWS credentials were found; log in, name a --profile, or use --local";
  if (errorName === "AccessDeniedException")
    return `these AWS credentials may not read the parameter ${deploymentParameter(name)} in ${region}`;
  if (/Expired|Unrecognized|InvalidClientTokenId|InvalidSignature/.test(errorName))
    return `AWS does not accept these credentials (${errorName}); log in again`;
  return `AWS Systems Manager in ${region} does not answer (${errorName})`;
}

function noRegion(cause: unknown): never {
  throw new DisclosureError("misconfigured", "no AWS region is set; give a --region", {}, cause);
}
