// The deployed stack that a run of `npm run test:deploy` tests against. In every other run there is none.
import { createHmac } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { GenerateMacCommand, KMSClient } from "@aws-sdk/client-kms";
import { S3Client } from "@aws-sdk/client-s3";
import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import { deploymentParameter } from "../../contract/deployment.ts";

export const REGION = "eu-central-1";
/** The emulator's account. */
export const ACCOUNT = "000000000000";
export const CREDENTIALS = { accessKeyId: ACCOUNT, secretAccessKey: "emulated" };

/** What the stack itself says of its parts, for the operator's command line. */
export interface Parts {
  readonly name: string;
  readonly tableName: string;
  readonly rootsBucket: string;
  readonly macKeyId: string;
  readonly apiId: string;
  /** The text of the tlog-policy. */
  readonly witnessPolicy: string;
}

export interface Deployment extends Parts {
  /** The emulator. */
  readonly endpoint: string;
  /** Where the emulator serves the stack's API. */
  readonly url: string;
  /** What the tokens of the stack's timestamp authority lead to. */
  readonly trustAnchorsPem: string;
  /** Where the run's bundles are, in `dist`, and all else that it writes. */
  readonly folder: string;
}

declare module "vitest" {
  interface ProvidedContext {
    deployment: Deployment | undefined;
    dynamoDbEndpoint: string | undefined;
    /** True in `npm run test:cloud`. */
    isCloud: boolean | undefined;
  }
}

/** The SDK's clients, pointed at the emulator. */
export function emulatedClients(endpoint: string) {
  const connection = { endpoint, region: REGION, credentials: CREDENTIALS };
  return {
    dynamoDb: new DynamoDBClient(connection),
    kms: new KMSClient(connection),
    s3: new S3Client({ ...connection, forcePathStyle: true }),
    ssm: new SSMClient(connection),
  };
}

/** A `key_id` ends with the day. */
export const dayOf = (keyId: string): string => keyId.slice(-"YYYY-MM-DD".length);

export const codeOf = (key: Uint8Array, message: Uint8Array): string =>
  createHmac("sha256", key).update(message).digest("base64");

/** The key of one UTC date's authentication codes, as KMS derives it. */
export async function deriveDayKey(kms: KMSClient, KeyId: string, day: string): Promise<Uint8Array> {
  const Message = Buffer.from(`disclosure-receipt/1/mac-key\n${day}`);
  const { Mac } = await kms.send(new GenerateMacCommand({ KeyId, Message, MacAlgorithm: "HMAC_SHA_256" }));
  if (Mac === undefined) throw new Error("KMS derived no key");
  return Mac;
}

/** The parts of a deployed stack, found as the operator's command line finds them; null where there is none. */
export async function findParts(endpoint: string, name: string): Promise<Parts | null> {
  try {
    const command = new GetParameterCommand({ Name: deploymentParameter(name) });
    const { Parameter } = await emulatedClients(endpoint).ssm.send(command);
    return JSON.parse(Parameter?.Value ?? "");
  } catch (error) {
    if (error instanceof Error && error.name === "ParameterNotFound") return null;
    throw error;
  }
}

/** Where the emulator serves the API of a stack. */
export const apiUrl = (endpoint: string, { apiId }: Parts): string =>
  `${endpoint}/_aws/execute-api/${apiId}/live`;
