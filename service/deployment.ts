// Reads what a deployment publishes of itself (contract/deployment.ts).
import type { SSMClient } from "@aws-sdk/client-ssm";
import type * as z from "zod";
import { type Deployment, deploymentParameter, deploymentSchema } from "../contract/deployment.ts";
import { DisclosureError } from "../evidence/core/errors.ts";
import { errorNameOf } from "./table/aws-error.ts";

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
  throw new DisclosureError(
    "misconfigured",
    "no AWS region is set; give a --region, or use --local",
    {},
    cause,
  );
}
