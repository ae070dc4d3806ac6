// The whole service on one machine: starts every part, points the handlers at them, and stops them in reverse order.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { LOCAL_DEPLOYMENT_FILE, type LocalDeployment } from "../../contract/deployment.ts";
import { HOUR_MS, MINUTE_SECONDS, SECOND_MS } from "../../contract/time.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { openTable } from "../../service/opening/connections.ts";
import { openRoots } from "../../service/opening/roots.ts";
import { readWitnessPolicy } from "../../service/opening/witnesses.ts";
import { ensureTable } from "../../service/table/table-schema.ts";
import { buildGateway } from "../server/gateway.ts";
import { type HttpHandler, listen } from "../server/http-server.ts";
import type { BridgedService } from "./bridge.ts";
import { withCallLines } from "./call-lines.ts";
import { openDataFolder } from "./data-folder.ts";
import { type Handlers, loadHandlers } from "./handlers.ts";
import { requireSealsOf } from "./older-table.ts";
import { localPlans } from "./plans.ts";
import { localLayers, publishLayers, writeLayers } from "./policy.ts";
import { staticFiles, withPublicFiles } from "./public-files.ts";
import { startScheduler } from "./scheduler.ts";
import { OWNER_ONLY_FILE } from "./secret-file.ts";
import type { Settings } from "./settings.ts";
import {
  BILLS_BUCKET,
  BUCKET,
  type StandIns,
  setEnvironment,
  startStandIns,
  TABLE_NAME,
} from "./stand-ins.ts";
import { ensureTenant } from "./tenant.ts";

/** As in a deployment; the first run is immediate. */
const BILL_INTERVAL_MS = HOUR_MS;

export interface LocalStack {
  readonly url: string;
  readonly apiKey: string;
  /** Null where there is no console. */
  readonly consoleUrl: string | null;
  /** Settles, with the reason, if a part dies. */
  readonly died: Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Gets one line for each call of the API. */
type PrintCall = (line: string) => void;

/** Starts all parts or none. Throws `misconfigured` with a message for the person who starts it. */
export async function startStack(
  settings: Settings,
  printCall: PrintCall | null = null,
): Promise<LocalStack> {
  const parts: (() => Promise<void> | void)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of parts.splice(0).reverse()) await end();
  };
  try {
    return { ...(await startParts(settings, printCall, parts)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(
  settings: Settings,
  printCall: PrintCall | null,
  parts: (() => Promise<void> | void)[],
): Promise<Omit<LocalStack, "stop">> {
  const witnessPolicy = readPolicy(settings);
  const layers = localLayers(settings);
  const folder = openDataFolder(settings.DATA_DIR);
  parts.push(folder.close);
  // The port is bound before anything else starts, so that a port in use is reported at once.
  let serve: HttpHandler = () => ({ status: 503 });
  const gateway = await listen((request) => serve(request), settings.PORT);
  parts.push(gateway.close);

  const standIns = await startStandIns(settings, folder.file, parts);
  const policyFile = folder.file("policy.json");
  writeLayers(policyFile, layers);
  setEnvironment(settings, standIns, policyFile);
  await createTable(standIns.database.endpoint);
  const table = openTable();
  const roots = openRoots();
  await requireSealsOf(roots, table);
  const apiKey = await ensureTenant(table, table.clock, folder.file("api-key"));
  await publishLayers(table, layers);
  const handlers = await loadHandlers();
  const files = staticFiles(standIns.authority.caFile);
  const answerCall = buildGateway(handlers);
  const calls = printCall === null ? answerCall : withCallLines(answerCall, printCall);
  serve = await bridged(
    withPublicFiles(calls, files, (path) => roots.logFile(path)),
    settings,
    { url: gateway.url, apiKey },
  );
  const deployment = { ...deploymentOf(settings, standIns, gateway.url), witnessPolicy };
  parts.push(publishDeployment(folder.file(LOCAL_DEPLOYMENT_FILE), deployment));
  const consoleUrl = await serveConsole(settings, deployment, parts);
  startSchedules(handlers, settings.SEAL_INTERVAL_SECONDS * SECOND_MS, parts);
  // The gateway closes first, while the parts that its last calls need still run.
  parts.push(gateway.close);
  return { url: gateway.url, apiKey, consoleUrl, died: standIns.database.died };
}

/** Loads the bridge as late as the handlers, for it logs too. */
async function bridged(
  handler: HttpHandler,
  settings: Settings,
  service: BridgedService,
): Promise<HttpHandler> {
  const { openLocalBridge, withBridge } = await import("./bridge.ts");
  const bridge = openLocalBridge(settings, service);
  return bridge === null ? handler : withBridge(handler, bridge);
}

/** Loads the console as late as the handlers: it logs, and the logger reads its level when it is loaded. */
async function serveConsole(
  settings: Settings,
  deployment: LocalDeployment,
  parts: (() => Promise<void> | void)[],
): Promise<string | null> {
  const { startLocalConsole } = await import("./console.ts");
  const listening = await startLocalConsole(settings, deployment);
  if (listening === null) return null;
  parts.push(listening.close);
  return listening.url;
}

/** Runs what a schedule runs in AWS. */
function startSchedules(
  handlers: Handlers,
  sealIntervalMs: number,
  parts: (() => Promise<void> | void)[],
): void {
  const schedules = [
    startScheduler(handlers.seal, sealIntervalMs),
    startScheduler(handlers.webhooks, sealIntervalMs),
    startScheduler(handlers.bill, BILL_INTERVAL_MS),
  ];
  parts.push(...schedules.map(({ stop }) => stop));
}

/** Throws `misconfigured` for a policy that the sealer could not act by. */
function readPolicy({ WITNESS_POLICY_FILE: file }: Settings): string | null {
  if (file === undefined) return null;
  readWitnessPolicy(file, { plainHttp: true });
  return readFileSync(file, "utf8");
}

async function createTable(endpoint: string): Promise<void> {
  await ensureTable(TABLE_NAME).catch((error: unknown) => {
    if (!isSystemError(error)) throw error;
    const message = `no DynamoDB answers at ${endpoint}; check DYNAMODB_ENDPOINT`;
    throw new DisclosureError("misconfigured", message, { endpoint }, error);
  });
}

/** ECONNREFUSED, ENOTFOUND and the like: the endpoint was not reached. */
const isSystemError = (error: unknown): boolean =>
  error instanceof Error && "code" in error && /^E[A-Z]+$/.test(String(error.code));

/**
 * Tells the operator's command line where the parts are. Returns what removes the file; after a kill the file remains,
 * with the id of a process that is gone.
 */
function publishDeployment(file: string, deployment: LocalDeployment): () => void {
  writeFileSync(file, JSON.stringify(deployment, null, 2), { mode: OWNER_ONLY_FILE });
  return () => rmSync(file, { force: true });
}

const deploymentOf = (
  { SEAL_INTERVAL_SECONDS, PLANS }: Settings,
  { accessKey, database, objects, keys, authority }: StandIns,
  url: string,
): Omit<LocalDeployment, "witnessPolicy"> => ({
  name: "local",
  tableName: TABLE_NAME,
  rootsBucket: BUCKET,
  billsBucket: BILLS_BUCKET,
  macKeyId: keys.keyId,
  retiredMacKeyIds: [],
  apiId: null,
  plans: localPlans(PLANS),
  sealIntervalMinutes: SEAL_INTERVAL_SECONDS / MINUTE_SECONDS,
  url,
  knownAuthorities: false,
  pid: process.pid,
  accessKey,
  endpoints: { dynamoDb: database.endpoint, s3: objects.endpoint, kms: keys.endpoint },
  trustAnchorsFile: authority.caFile,
});
