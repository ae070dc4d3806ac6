// A real run of the deployed handlers on the local parts, with every request to AWS counted.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDynamoDb } from "../../host/local/dynamodb.ts";
import { type Handlers, loadHandlers } from "../../host/local/handlers.ts";
import { startKeyService } from "../../host/local/key-service.ts";
import { startObjectStore } from "../../host/local/object-store.ts";
import { startTimestampAuthority } from "../../host/local/timestamp-authority.ts";
import { buildGateway } from "../../host/server/gateway.ts";
import { listen } from "../../host/server/http-server.ts";
import { openTable } from "../../service/opening/connections.ts";
import { ensureTable } from "../../service/table/table-schema.ts";
import { ApiKeys } from "../../service/tenants/api-keys.ts";
import { TenantRegistry } from "../../service/tenants/tenant-registry.ts";
import { DEPLOYED_ENVIRONMENT, TABLE_NAME } from "../deployed-environment.ts";
import { type Counts, countDynamoDb, countKms, countS3, countTimestamps, noCounts } from "./counters.ts";

export interface Service {
  readonly url: string;
  readonly registry: TenantRegistry;
  readonly apiKeys: ApiKeys;
  readonly handlers: Handlers;
  /** Counts up from the start; what a part of a run took is a difference. */
  readonly counts: Counts;
  readonly close: () => Promise<void>;
}

/** Everything of `npm start`, with proxies between the handlers and what stands for AWS. */
export async function startService(): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-cost-"));
  const counts = noCounts();
  const parts = await startParts(folder, counts);
  await ensureTable(TABLE_NAME);
  const loaded = await loadHandlers();
  const handlers: Handlers = {
    ...loaded,
    authorize: (event) => {
      counts.authorizations++;
      return loaded.authorize(event);
    },
  };
  const gateway = await listen(buildGateway(handlers));
  const close = async (): Promise<void> => {
    for (const part of [gateway, ...parts]) await part.close();
    rmSync(folder, { recursive: true });
  };
  const table = openTable();
  const registry = new TenantRegistry(table, table.clock);
  const apiKeys = new ApiKeys(table, table.clock);
  return { url: gateway.url, registry, apiKeys, handlers, counts, close };
}

interface StackPart {
  readonly close: () => Promise<void>;
}

/** The parts, those first that have to close first. */
async function startParts(folder: string, counts: Counts): Promise<StackPart[]> {
  const dynamo = await startDynamoDb({ file: join(folder, "ledger.sqlite") });
  const objects = await startObjectStore({ file: join(folder, "roots.sqlite") });
  const keys = await startKeyService({
    files: { mac: join(folder, "mac-key.json"), log: join(folder, "log-key.json") },
  });
  const proxies = {
    dynamo: await countDynamoDb(dynamo.endpoint, counts),
    s3: await countS3(objects.endpoint, counts),
    kms: await countKms(keys.endpoint, counts),
  };
  const authorities = await startAuthorities(folder, counts);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: proxies.dynamo.url,
    AWS_ENDPOINT_URL_S3: proxies.s3.url,
    AWS_ENDPOINT_URL_KMS: proxies.kms.url,
    MAC_KEY_ID: keys.keyId,
    LOG_KEY_ID: keys.logKeyId,
    ...DEPLOYED_ENVIRONMENT,
  });
  return [...authorities, ...Object.values(proxies), keys, objects, dynamo];
}

/** As many as a deployment asks by default: a seal wants a token of each. */
async function startAuthorities(folder: string, counts: Counts): Promise<StackPart[]> {
  const authorities = await Promise.all(
    ["first", "second"].map((name) => startTimestampAuthority({ directory: join(folder, name) })),
  );
  const proxies = await Promise.all(authorities.map(({ url }) => countTimestamps(url, counts)));
  const anchors = join(folder, "ca.pem");
  writeFileSync(anchors, authorities.map(({ certificatePem }) => certificatePem).join(""));
  Object.assign(process.env, {
    TSA_URLS: proxies.map(({ url }) => url).join(","),
    TSA_CA_FILE: anchors,
    SEAL_TIMESTAMPS: String(authorities.length),
  });
  return [...proxies, ...authorities];
}
