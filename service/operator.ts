// Opens a deployment for an operator's command: the same table, bucket and key as the functions have.
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { KMSClient } from "@aws-sdk/client-kms";
import { S3Client } from "@aws-sdk/client-s3";
import type { Deployment, LocalDeployment } from "../contract/deployment.ts";
import { Bills } from "./bill/bills.ts";
import { StoredBills } from "./bill/stored-bills.ts";
import { readDeployment } from "./deployment.ts";
import { DayKeys } from "./ledger/day-keys.ts";
import { Macs } from "./ledger/macs.ts";
import { TIMEOUTS } from "./opening/connections.ts";
import { PublishedRoots } from "./seals/published-roots.ts";
import { Table } from "./table/table.ts";
import { ApiKeys } from "./tenants/api-keys.ts";
import type { CountedTenantServices } from "./tenants/counted-tenants.ts";
import { GatewayKeys } from "./tenants/gateway-keys.ts";
import { TenantRegistry } from "./tenants/tenant-registry.ts";
import { WebhookSecrets } from "./webhooks/webhook-secrets.ts";

/** A deployment by its name, and which of the credentials that the SDK finds to use for it. */
export interface AwsTarget {
  readonly name: string;
  readonly region?: string;
  readonly profile?: string;
}

export interface Operator extends CountedTenantServices {
  readonly deployment: Deployment;
  /** That of AWS; null for the local stack. */
  readonly region: string | null;
  readonly table: Table;
  readonly roots: PublishedRoots;
  readonly bills: Bills;
  /** Derives the key of any day again, to check the codes of that day. */
  readonly macs: Macs;
  readonly webhookSecrets: WebhookSecrets;
  readonly close: () => void;
}

/** More than ten years: each chain of an audit begins with its first day again. */
const REMEMBERED_DAYS = 4_000;
/** API Gateway's control plane takes some five calls a second of an account. */
const GATEWAY_ATTEMPTS = 8;

/** Throws `misconfigured`, in one line that says what to do. */
export async function connectAws({ name, ...connection }: AwsTarget): Promise<Operator> {
  const { SSMClient } = await import("@aws-sdk/client-ssm");
  const { APIGatewayClient } = await import("@aws-sdk/client-api-gateway");
  const parameters = new SSMClient({ ...connection, requestHandler: TIMEOUTS });
  const deployment = await readDeployment(parameters, name);
  const region = await parameters.config.region();
  parameters.destroy();
  const gateway = new APIGatewayClient({ ...connection, maxAttempts: GATEWAY_ATTEMPTS });
  const clients = openClients(connection, {});
  const keys = deployment.apiId === null ? null : new GatewayKeys(gateway, deployment);
  return buildOperator({ deployment, region, gateway: keys }, clients);
}

/** The running local stack. No AWS account is reached, whichever one this shell is logged in to. */
export function connectLocal(deployment: LocalDeployment): Operator {
  const credentials = { accessKeyId: deployment.accessKey, secretAccessKey: "local" };
  const clients = openClients({ region: "local", credentials }, deployment.endpoints);
  return buildOperator({ deployment, region: null, gateway: null }, clients);
}

interface Clients {
  readonly reader: DynamoDBClient;
  readonly writer: DynamoDBClient;
  readonly s3: S3Client;
  readonly kms: KMSClient;
}

function openClients(connection: object, endpoints: Partial<LocalDeployment["endpoints"]>): Clients {
  const at = (endpoint: string | undefined) => ({
    ...connection,
    ...(endpoint !== undefined && { endpoint }),
    requestHandler: TIMEOUTS,
  });
  return {
    reader: new DynamoDBClient(at(endpoints.dynamoDb)),
    // The table itself decides what a write of unknown outcome may do next.
    writer: new DynamoDBClient({ ...at(endpoints.dynamoDb), maxAttempts: 1 }),
    s3: new S3Client({ ...at(endpoints.s3), forcePathStyle: endpoints.s3 !== undefined }),
    kms: new KMSClient(at(endpoints.kms)),
  };
}

function buildOperator(
  { deployment, region, gateway }: Pick<Operator, "deployment" | "region" | "gateway">,
  clients: Clients,
): Operator {
  const table = new Table(clients, deployment.tableName);
  return {
    deployment,
    region,
    table,
    registry: new TenantRegistry(table, table.clock),
    keys: new ApiKeys(table, table.clock),
    gateway,
    clock: table.clock,
    bills: new Bills({
      table,
      plans: new Map(Object.entries(deployment.plans)),
      stored: new StoredBills(clients.s3, deployment.billsBucket, null),
    }),
    // An operator only reads them, so no retention is needed.
    roots: new PublishedRoots(clients.s3, deployment.rootsBucket, null),
    macs: new Macs({
      dayKeys: new DayKeys(clients.kms, REMEMBERED_DAYS),
      keyId: deployment.macKeyId,
      retiredKeyIds: deployment.retiredMacKeyIds,
      clock: table.clock,
    }),
    webhookSecrets: new WebhookSecrets(clients.kms, [deployment.macKeyId, ...deployment.retiredMacKeyIds]),
    close: () => {
      for (const client of Object.values(clients)) client.destroy();
    },
  };
}
