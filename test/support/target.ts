// What the end-to-end tests run against: a local stack of the test file's own or, in `npm run test:deploy` and
// `npm run test:cloud`, a new tenant of the deployed stack. Either way the file has a chain to itself.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { expect, inject } from "vitest";
import { startDynamoDb } from "../../host/local/dynamodb.ts";
import { Table } from "../../service/table/table.ts";
import { ApiKeys } from "../../service/tenants/api-keys.ts";
import { TenantRegistry } from "../../service/tenants/tenant-registry.ts";
import { ApiClient, readProblem } from "./api-client.ts";
import { codeOf, type Deployment, dayOf, deriveDayKey, emulatedClients } from "./deployment.ts";
import { runSchedules } from "./emulator-api.ts";
import { newFolder, startLocalStack } from "./local-stack.ts";
import { dayKeyOf } from "./whole-chain.ts";

const LOCAL_TABLE = "disclosure-receipts";
const EVERY_SECOND = { SEAL_INTERVAL_SECONDS: "1" };

const deployment = inject("deployment");
const isCloud = inject("isCloud") === true;
export const isDeployed = deployment !== undefined || isCloud;

/** For tests that are of a deployed stack only. */
export function theDeployment(): Deployment {
  if (deployment === undefined) throw new Error("nothing is deployed; npm run test:deploy does that");
  return deployment;
}

export interface Target {
  readonly api: ApiClient;
  /** The service's HMAC-SHA256 of a message under the key that it calls `key_id`, in base64. */
  readonly authenticate: (keyId: string, message: Uint8Array) => Promise<string>;
}

/** A target with the tenants of its table, as an operator reaches them. */
export interface OperatedTarget extends Target {
  /** Whose key `api` has. */
  readonly tenantId: string;
  readonly registry: TenantRegistry;
  readonly keys: ApiKeys;
  readonly close: () => Promise<void>;
}

/** The local stack seals every second, unless `environment` says otherwise; the deployed one when a test asks. */
export async function startTarget(
  environment: Readonly<Record<string, string>> = EVERY_SECOND,
): Promise<Target> {
  if (deployment !== undefined) return newDeployedTenant(deployment);
  if (isCloud) return (await import("../cloud/tenant.ts")).newCloudTenant();
  const stack = await startLocalStack({ environment });
  const { secret } = JSON.parse(readFileSync(join(stack.dataDir, "mac-key.json"), "utf8"));
  const authenticate = async (keyId: string, message: Uint8Array) =>
    codeOf(dayKeyOf(Buffer.from(secret, "base64"), dayOf(keyId)), message);
  return { api: new ApiClient(stack), authenticate };
}

/** The local stack gets an engine from outside, through which the test reaches its table too. */
export async function startOperatedTarget(): Promise<OperatedTarget> {
  if (deployment !== undefined) return newDeployedTenant(deployment);
  const { endpoint, close } = await startDynamoDb({ file: join(newFolder(), "ledger.sqlite") });
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const client = new DynamoDBClient({ endpoint, region: "eu-central-1", credentials });
  const target = await startTarget({ DYNAMODB_ENDPOINT: endpoint });
  return { ...target, tenantId: "local", ...operated(client, LOCAL_TABLE), close };
}

function operated(client: DynamoDBClient, tableName: string): { registry: TenantRegistry; keys: ApiKeys } {
  const table = new Table({ reader: client, writer: client }, tableName);
  const clock = () => new Date();
  return { registry: new TenantRegistry(table, clock), keys: new ApiKeys(table, clock) };
}

export async function newDeployedTenant(stack: Deployment): Promise<OperatedTarget> {
  const { dynamoDb, kms } = emulatedClients(stack.endpoint);
  const { registry, keys } = operated(dynamoDb, stack.tableName);
  const tenantId = `tenant-${randomUUID()}`;
  await registry.create({ tenantId, plan: "trial", chains: 1 });
  const { apiKey } = await keys.create({ tenantId, scopes: ["attest", "report"], expiresAt: null });
  const { url, trustAnchorsPem, macKeyId: KeyId } = stack;
  // By schedule there is a seal a minute. minute.deploy.ts waits for one; all other tests need not.
  const hurry = () => runSchedules(stack.endpoint, stack.name);
  // What other tenants left goes into a seal of its own, so that the next ones hold this tenant's receipts alone.
  await hurry();
  const authenticate = async (keyId: string, message: Uint8Array) => {
    expect(keyId).toBe(`${KeyId}/${dayOf(keyId)}`);
    return codeOf(await deriveDayKey(kms, KeyId, dayOf(keyId)), message);
  };
  return {
    api: new ApiClient({ url, apiKey, trustAnchorsPem, hurry }),
    authenticate,
    tenantId,
    registry,
    keys,
    close: async () => {},
  };
}

/** A refusal that is the gateway's own. The emulator's has the right status, and words of its own. */
export async function expectGatewayProblem(
  response: Response,
  expected: { readonly status: number; readonly type: string; readonly detail?: string },
): Promise<void> {
  expect(response.status).toBe(expected.status);
  if (!isDeployed) expect(await readProblem(response)).toMatchObject(expected);
}
