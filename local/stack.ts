// The whole service on one machine: starts every part, points the handlers at them, and stops them in turn.
import { DisclosureError } from "../core/errors.ts";
import { openTable, systemClock } from "../service/connections.ts";
import { LOCAL_DEPLOYMENT_FILE, type LocalDeployment } from "../service/deployment.ts";
import { ensureTable } from "../service/table/table-schema.ts";
import { openDataFolder } from "./data-folder.ts";
import { publishDeployment } from "./deployment-file.ts";
import { buildGateway } from "./gateway.ts";
import { loadHandlers } from "./handlers.ts";
import { type Handler, listen } from "./http-server.ts";
import { startScheduler } from "./scheduler.ts";
import type { Settings } from "./settings.ts";
import { BUCKET, type StandIns, setEnvironment, startStandIns, TABLE_NAME } from "./stand-ins.ts";
import { staticFiles } from "./static-files.ts";
import { ensureTenant } from "./tenant.ts";

const SECOND_MS = 1_000;
const SECONDS_PER_MINUTE = 60;

export interface LocalStack {
  readonly url: string;
  readonly apiKey: string;
  /** Settles, with the reason, when a part dies by itself. */
  readonly died: Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Starts everything, or nothing: throws after stopping what had started. `misconfigured` is for the person to read. */
export async function startStack(settings: Settings): Promise<LocalStack> {
  const parts: (() => Promise<void> | void)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of parts.splice(0).reverse()) await end();
  };
  try {
    return { ...(await startParts(settings, parts)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(
  settings: Settings,
  parts: (() => Promise<void> | void)[],
): Promise<Omit<LocalStack, "stop">> {
  const folder = openDataFolder(settings.DATA_DIR);
  parts.push(folder.close);
  // The port is taken before anything else starts, so that a port in use is said at once.
  let serve: Handler = () => ({ status: 503 });
  const gateway = await listen((request) => serve(request), settings.PORT);
  parts.push(gateway.close);

  const standIns = await startStandIns(settings, folder.file, parts);
  setEnvironment(settings, standIns);
  await createTable(standIns.database.endpoint);
  const apiKey = await ensureTenant(openTable(), systemClock, folder.file("api-key"));
  const handlers = await loadHandlers();
  serve = buildGateway(handlers, staticFiles(standIns.authority.caFile));
  const deployment = deploymentOf(settings, standIns, gateway.url);
  parts.push(publishDeployment(folder.file(LOCAL_DEPLOYMENT_FILE), deployment));
  const sealing = startScheduler(handlers.seal, settings.SEAL_INTERVAL_SECONDS * SECOND_MS);
  // The gateway closes first, while everything that the calls under way still need is there.
  parts.push(sealing.stop, gateway.close);
  return { url: gateway.url, apiKey, died: standIns.database.died };
}

async function createTable(endpoint: string): Promise<void> {
  await ensureTable(TABLE_NAME).catch((error: unknown) => {
    if (!isSystemError(error)) throw error;
    const message = `no DynamoDB answers at ${endpoint}; check DYNAMODB_ENDPOINT`;
    throw new DisclosureError("misconfigured", message, { endpoint }, error);
  });
}

/** Such as ECONNREFUSED and ENOTFOUND: the way there is at fault, not what stands at its end. */
const isSystemError = (error: unknown): boolean =>
  error instanceof Error && "code" in error && /^E[A-Z]+$/.test(String(error.code));

const deploymentOf = (
  { SEAL_INTERVAL_SECONDS }: Settings,
  { database, objects, keys, authority }: StandIns,
  url: string,
): LocalDeployment => ({
  name: "local",
  tableName: TABLE_NAME,
  rootsBucket: BUCKET,
  macKeyId: keys.keyId,
  apiId: null,
  usagePlanIds: {},
  chainsPerTenant: 1,
  sealIntervalMinutes: SEAL_INTERVAL_SECONDS / SECONDS_PER_MINUTE,
  url,
  knownAuthorities: false,
  pid: process.pid,
  endpoints: { dynamoDb: database.endpoint, s3: objects.endpoint, kms: keys.endpoint },
  trustAnchorsFile: authority.caFile,
});
