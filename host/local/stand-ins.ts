// The stand-ins for AWS and for a timestamp authority on one machine, and the environment that points to them.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { HEAD_PATH } from "../../contract/metachain-paths.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { parseCertificatesPem } from "../../evidence/core/timestamps/x509/pem.ts";
import { startDynamoDb } from "./dynamodb.ts";
import { type KeyService, startKeyService } from "./key-service.ts";
import { type ObjectStore, startObjectStore } from "./object-store.ts";
import { newAccessKey } from "./own-clients.ts";
import { withOwnPlan } from "./plans.ts";
import { secretFile } from "./secret-file.ts";
import type { Settings } from "./settings.ts";
import { startTimestampAuthority } from "./timestamp-authority.ts";

export const TABLE_NAME = "disclosure-receipts";
export const BUCKET = "disclosure-receipts-roots";
export const BILLS_BUCKET = "disclosure-receipts-bills";
/** A name that no log on the internet has. */
const LOG_ORIGIN = `localhost/${HEAD_PATH}`;
/** Long enough for retention to be in force in every run, and short enough to cause no trouble. */
const RETENTION_DAYS = "1";

export interface StandIns {
  /** Of their own clients, and nobody else. */
  readonly accessKey: string;
  readonly database: Database;
  readonly objects: ObjectStore;
  readonly keys: KeyService;
  readonly authority: StandInAuthority;
}

interface Database {
  readonly endpoint: string;
  /** Settles with its output if it ends; never for a database that was started by others. */
  readonly died: Promise<string>;
  readonly close: () => Promise<void>;
}

interface StandInAuthority {
  /** Comma-separated. */
  readonly urls: string;
  /** PEM of its trust anchors. */
  readonly caFile: string;
  readonly close: () => Promise<void>;
}

/** Starts them on files of the data folder. Each that has started is in `parts`, even if a later one fails. */
export async function startStandIns(
  settings: Settings,
  file: (name: string) => string,
  parts: (() => Promise<void> | void)[],
): Promise<StandIns> {
  // Kept: DynamoDB Local has a database for each access key.
  const accessKey = secretFile(file("access-key"), newAccessKey);
  const database = await openDatabase(settings, file("ledger.sqlite"), accessKey);
  parts.push(database.close);
  const objects = await startObjectStore({ file: file("roots.sqlite"), accessKey });
  parts.push(objects.close);
  const keys = await startKeyService({
    files: { mac: file("mac-key.json"), log: file("log-key.json") },
    accessKey,
  });
  parts.push(keys.close);
  const authority = await openAuthority(settings, file);
  parts.push(authority.close);
  return { accessKey, database, objects, keys, authority };
}

async function openDatabase(
  { DYNAMODB_ENDPOINT }: Settings,
  file: string,
  accessKey: string,
): Promise<Database> {
  if (DYNAMODB_ENDPOINT !== undefined) {
    return { endpoint: DYNAMODB_ENDPOINT, died: new Promise(() => {}), close: async () => {} };
  }
  const { endpoint, exited, close } = await startDynamoDb({ file, accessKey });
  return { endpoint, died: exited, close };
}

async function openAuthority(
  { TSA_URLS, TSA_CA_FILE }: Settings,
  file: (name: string) => string,
): Promise<StandInAuthority> {
  if (TSA_URLS !== undefined && TSA_CA_FILE !== undefined) {
    requireCertificates(TSA_CA_FILE);
    return { urls: TSA_URLS, caFile: resolve(TSA_CA_FILE), close: async () => {} };
  }
  const directory = file("timestamp-authority");
  const { url, certificatePem, close } = await startTimestampAuthority({ directory });
  const caFile = resolve(file("timestamp-authority-ca.pem"));
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

/** The local stack must never reach the AWS account that this shell may be logged in to. */
export function setEnvironment(
  { LOG_LEVEL, WITNESS_POLICY_FILE, PLANS, RATE_LIMIT }: Settings,
  { accessKey, database, objects, keys, authority }: StandIns,
  policyFile: string,
): void {
  delete process.env.AWS_PROFILE;
  delete process.env.AWS_SESSION_TOKEN;
  Object.assign(process.env, {
    AWS_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: accessKey,
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_EC2_METADATA_DISABLED: "true",
    TABLE_NAME,
    ROOTS_BUCKET: BUCKET,
    ROOTS_RETENTION_DAYS: RETENTION_DAYS,
    BILLS_BUCKET,
    BILLS_RETENTION_DAYS: RETENTION_DAYS,
    AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
    AWS_ENDPOINT_URL_S3: objects.endpoint,
    AWS_ENDPOINT_URL_KMS: keys.endpoint,
    MAC_KEY_ID: keys.keyId,
    LOG_KEY_ID: keys.logKeyId,
    LOG_ORIGIN,
    TSA_URLS: authority.urls,
    TSA_CA_FILE: authority.caFile,
    POLICY_FILE: resolve(policyFile),
    ...(WITNESS_POLICY_FILE !== undefined && { WITNESS_POLICY_FILE: resolve(WITNESS_POLICY_FILE) }),
    WITNESS_PLAIN_HTTP: "true",
    WEBHOOK_LOOPBACK: "true",
    // One process has all calls.
    SHARED_PROCESS: "true",
    PLANS: JSON.stringify(RATE_LIMIT ? withOwnPlan(PLANS) : PLANS),
    RATE_LIMIT: String(RATE_LIMIT),
    POWERTOOLS_LOG_LEVEL: LOG_LEVEL,
    // Nothing collects metrics here.
    POWERTOOLS_METRICS_DISABLED: "true",
  });
}
