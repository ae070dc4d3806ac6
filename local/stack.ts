// The whole service on one machine: starts every part, points the handlers at them, and stops them in turn.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { DisclosureError } from "../core/errors.ts";
import { parseCertificatesPem } from "../core/pem.ts";
import { openTable, systemClock } from "../service/connections.ts";
import { LOCAL_DEPLOYMENT_FILE, type LocalDeployment } from "../service/deployment.ts";
import { ensureTable } from "../service/table/table-schema.ts";
import { openDataFolder } from "./data-folder.ts";
import { publishDeployment } from "./deployment-file.ts";
import { startDynamoDb } from "./dynamodb.ts";
import { buildGateway } from "./gateway.ts";
import { loadHandlers } from "./handlers.ts";
import { type Handler, listen, type Reply } from "./http-server.ts";
import { type KeyService, startKeyService } from "./key-service.ts";
import { type ObjectStore, startObjectStore } from "./object-store.ts";
import { startScheduler } from "./scheduler.ts";
import type { Settings } from "./settings.ts";
import { ensureTenant } from "./tenant.ts";
import { startTimestampAuthority } from "./timestamp-authority.ts";

const TABLE_NAME = "disclosure-receipts";
const BUCKET = "disclosure-receipts-roots";
/** Where `npm run web` puts the verifier page; npm runs that before `npm start`. */
const WEB = new URL("../dist/web/", import.meta.url);
/** Long enough that retention is honoured in every try, short enough that nobody minds. */
const RETENTION_DAYS = "1";
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
    return await startParts(settings, parts, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(
  settings: Settings,
  parts: (() => Promise<void> | void)[],
  stop: () => Promise<void>,
): Promise<LocalStack> {
  const folder = openDataFolder(settings.DATA_DIR);
  parts.push(folder.close);
  // The port is taken before anything else starts, so that a port in use is said at once.
  let serve: Handler = () => ({ status: 503 });
  const gateway = await listen((request) => serve(request), settings.PORT);
  parts.push(gateway.close);

  const dynamo = await openDynamoDb(settings, folder.file("ledger.sqlite"));
  parts.push(dynamo.close);
  const objects = await startObjectStore({ file: folder.file("roots.sqlite") });
  parts.push(objects.close);
  const keys = await startKeyService({ file: folder.file("mac-key.json") });
  parts.push(keys.close);
  const authority = await openAuthority(settings, folder.file);
  parts.push(authority.close);

  const servers = { dynamo, objects, keys, authority };
  setEnvironment(settings, servers);
  await createTable(dynamo.endpoint);
  const apiKey = await ensureTenant(openTable(), systemClock, folder.file("api-key"));
  const handlers = await loadHandlers();
  serve = buildGateway(handlers, staticFiles(authority.caFile));
  const deployment = deploymentOf(settings, servers, gateway.url);
  parts.push(publishDeployment(folder.file(LOCAL_DEPLOYMENT_FILE), deployment));
  const sealing = startScheduler(handlers.seal, settings.SEAL_INTERVAL_SECONDS * 1000);
  // The gateway closes first, while everything that the calls under way still need is there.
  parts.push(sealing.stop, gateway.close);
  return { url: gateway.url, apiKey, died: dynamo.died, stop };
}

/** The stand-ins that the handlers and the operator's command line are pointed at. */
interface Servers {
  readonly dynamo: Database;
  readonly objects: ObjectStore;
  readonly keys: KeyService;
  readonly authority: Authority;
}

const deploymentOf = (
  { SEAL_INTERVAL_SECONDS }: Settings,
  { dynamo, objects, keys, authority }: Servers,
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
  endpoints: { dynamoDb: dynamo.endpoint, s3: objects.endpoint, kms: keys.endpoint },
  trustAnchorsFile: resolve(authority.caFile),
});

interface Database {
  readonly endpoint: string;
  readonly died: Promise<string>;
  readonly close: () => Promise<void>;
}

async function openDynamoDb({ DYNAMODB_ENDPOINT }: Settings, file: string): Promise<Database> {
  if (DYNAMODB_ENDPOINT !== undefined) {
    return { endpoint: DYNAMODB_ENDPOINT, died: new Promise(() => {}), close: async () => {} };
  }
  const { endpoint, exited, close } = await startDynamoDb({ file });
  return { endpoint, died: exited, close };
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

interface Authority {
  /** Comma-separated. */
  readonly urls: string;
  readonly caFile: string;
  readonly close: () => Promise<void>;
}

async function openAuthority(
  { TSA_URLS, TSA_CA_FILE }: Settings,
  file: (name: string) => string,
): Promise<Authority> {
  if (TSA_URLS !== undefined && TSA_CA_FILE !== undefined) {
    requireCertificates(TSA_CA_FILE);
    return { urls: TSA_URLS, caFile: resolve(TSA_CA_FILE), close: async () => {} };
  }
  const { url, certificatePem, close } = await startTimestampAuthority({
    directory: file("timestamp-authority"),
  });
  const caFile = file("timestamp-authority-ca.pem");
  writeFileSync(caFile, certificatePem);
  return { urls: url, caFile, close };
}

function requireCertificates(file: string): void {
  try {
    parseCertificatesPem(readFileSync(file, "utf8"));
  } catch (error) {
    throw new DisclosureError("misconfigured", `TSA_CA_FILE: ${file} holds no PEM certificates`, {}, error);
  }
}

/** Whatever account this shell is logged in to, the local stack must not reach it. */
function setEnvironment({ LOG_LEVEL }: Settings, { dynamo, objects, keys, authority }: Servers): void {
  delete process.env.AWS_PROFILE;
  delete process.env.AWS_SESSION_TOKEN;
  Object.assign(process.env, {
    AWS_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_EC2_METADATA_DISABLED: "true",
    TABLE_NAME,
    ROOTS_BUCKET: BUCKET,
    ROOTS_RETENTION_DAYS: RETENTION_DAYS,
    AWS_ENDPOINT_URL_DYNAMODB: dynamo.endpoint,
    AWS_ENDPOINT_URL_S3: objects.endpoint,
    AWS_ENDPOINT_URL_KMS: keys.endpoint,
    MAC_KEY_ID: keys.keyId,
    TSA_URLS: authority.urls,
    TSA_CA_FILE: authority.caFile,
    POWERTOOLS_LOG_LEVEL: LOG_LEVEL,
    // Nobody collects them here.
    POWERTOOLS_METRICS_DISABLED: "true",
  });
}

/** What the deployed stack has as static objects. The verifier page is there once it was built. */
function staticFiles(caFile: string): Map<string, Reply> {
  const files = new Map([["/tsa/certificate.pem", certificateReply(caFile)]]);
  const [page, headers] = [new URL("index.html", WEB), new URL("headers.json", WEB)];
  if (existsSync(page) && existsSync(headers)) {
    const body = readFileSync(page, "utf8");
    files.set("/verify", { status: 200, headers: JSON.parse(readFileSync(headers, "utf8")), body });
  }
  return files;
}

const certificateReply = (file: string): Reply => ({
  status: 200,
  headers: { "content-type": "application/x-pem-file", "access-control-allow-origin": "*" },
  body: readFileSync(file, "utf8"),
});
