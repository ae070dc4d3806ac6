// Ledgers for tests: one local DynamoDB and S3 a test file, one table and bucket a ledger, and as many
// "processes" as a test wants, which share nothing but those.
import { createHmac, createPublicKey, randomBytes, randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { GetPublicKeyCommand, KMSClient, SignCommand } from "@aws-sdk/client-kms";
import { S3Client } from "@aws-sdk/client-s3";
import { openObjects } from "../../host/local/object-store.ts";
import { tableSchema } from "../../service/table/table-schema.ts";
import { TenantRegistry } from "../../service/tenants/tenant-registry.ts";
import type { Caller } from "../../service/tenants/tenants.ts";
import { NOWHERE, openNearEngine } from "./engine.ts";
import { type Interceptor, undisturbed } from "./faults.ts";
import { inProcess, unsigned } from "./in-process.ts";
import { publishKnownLayer } from "./known-layer.ts";
import { type LogSigner, newLog, signBytes } from "./log-signer.ts";
import { TestProcess, type TestProcessOptions } from "./test-process.ts";
import { checkWholeLog, type WholeLog } from "./whole-log.ts";

/** Far ahead of every real clock, so that no engine's time to live deletes what our clock says still lives. */
const START = Date.parse("2040-05-01T12:00:00.000Z");
/** In memory where there is a place for that: what a power cut does to a disk is not what these tests are about. */
const TEMPORARY = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const CONNECTION = {
  region: "local",
  credentials: { accessKeyId: "local", secretAccessKey: "local" },
};

/** The name of every ledger's log: it has the key of one stack, and no two meet. */
const LOG_ORIGIN = "ledger.test/v1/metachain";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

export interface Clients {
  readonly dynamoDb: DynamoDBClient;
  /** Does not send again by itself, as the service's own does not. */
  readonly writer: DynamoDBClient;
  readonly s3: S3Client;
  readonly kms: KMSClient;
  /** KMS where it has no key for the log. */
  readonly noKey: KMSClient;
}

/** A caller, and the ids that its anchor gives its chains. */
export interface TestCaller extends Caller {
  readonly chainIds: readonly string[];
}

export interface LedgerOptions {
  /** Without it its log has no key, and no checkpoints: where they are not the matter, that saves half of a run. */
  readonly isSigned: boolean;
  /** Whether it begins with a layer that is public already; see known-layer.ts. */
  readonly hasLayer?: boolean;
}

export interface LedgerStack {
  /** Holds the engine's file, unless the engine is another one, and the published objects. */
  readonly folder: string;
  readonly newLedger: (options?: LedgerOptions) => Promise<Ledger>;
  readonly stopEngine: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function startLedgerStack(): Promise<LedgerStack> {
  const folder = mkdtempSync(join(TEMPORARY, "disclosure-receipts-"));
  const engine = openNearEngine(join(folder, "ledger"));
  const objects = openObjects(join(folder, "roots"));
  const key = { id: randomUUID(), secret: randomBytes(32), log: newLog(LOG_ORIGIN) };
  const clients = {
    dynamoDb: new DynamoDBClient({ ...CONNECTION, ...engine.connection }),
    writer: new DynamoDBClient({ ...CONNECTION, ...engine.connection, maxAttempts: 1 }),
    s3: new S3Client({
      ...CONNECTION,
      endpoint: NOWHERE,
      forcePathStyle: true,
      signer: unsigned,
      requestHandler: inProcess(objects.handler),
    }),
    kms: kmsOf(key),
    noKey: Object.assign(new KMSClient(CONNECTION), { send: () => Promise.reject(new Error("no key")) }),
  };
  const newLedger = async ({ isSigned, hasLayer = true }: LedgerOptions = { isSigned: true }) => {
    const name = `ledger-${randomUUID()}`;
    // Enough for an engine that has a table at once; ensureTable has a test of its own.
    await clients.dynamoDb.send(new CreateTableCommand(tableSchema(name)));
    if (hasLayer) await publishKnownLayer(clients, name, new Date(START));
    return new Ledger(clients, name, key, isSigned);
  };
  const close = async () => {
    for (const client of Object.values(clients)) client.destroy();
    await engine.close();
    objects.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, newLedger, close, stopEngine: engine.close };
}

/** A KMS client that answers by itself: half of all calls are codes, and macs.test.ts has the real way there. */
function kmsOf({ secret, log }: Ledger["key"]): KMSClient {
  const send = async (command: { input: { Message?: Uint8Array } }) => {
    const { Message = Uint8Array.of() } = command.input;
    if (command instanceof SignCommand) return { Signature: signBytes(log, Message) };
    if (command instanceof GetPublicKeyCommand) return { PublicKey: spkiOf(log) };
    return { Mac: createHmac("sha256", secret).update(Message).digest() };
  };
  return Object.assign(new KMSClient(CONNECTION), { send });
}

const spkiOf = ({ secret }: LogSigner): Uint8Array =>
  new Uint8Array(createPublicKey(secret).export({ format: "der", type: "spki" }));

export class Ledger {
  readonly clients: Clients;
  /** Of the table and of the bucket. */
  readonly name: string;
  /** Of the codes, and of the log. */
  readonly key: { readonly id: string; readonly secret: Buffer; readonly log: LogSigner };
  readonly isSigned: boolean;
  now = START;
  readonly clock = (): Date => new Date(this.now);

  constructor(clients: Clients, name: string, key: Ledger["key"], isSigned: boolean) {
    this.clients = clients;
    this.name = name;
    this.key = key;
    this.isSigned = isSigned;
  }

  /** A process that knows nothing of any other. `intercept` sees each of its calls. */
  newProcess(intercept: Interceptor = undisturbed, options: TestProcessOptions = {}): TestProcess {
    return new TestProcess(this, intercept, options);
  }

  /** A new tenant, as the authorizer would know its caller. */
  async newTenant(tenantId: string, chains = 1): Promise<TestCaller> {
    const { table } = this.newProcess();
    const registry = new TenantRegistry(table, this.clock);
    await registry.create({ tenantId, plan: "test", chains });
    return {
      tenantId,
      keyId: "0".repeat(20),
      scopes: ["attest", "report"],
      plan: "test",
      tenantAnchor: await registry.anchor(tenantId),
      chains,
      chainIds: (await registry.chains(tenantId)).map(({ chainId }) => chainId),
      keyExpiresAt: null,
      inlineStampsPerMinute: null,
      ownWordings: null,
      isPreview: false,
    };
  }

  /** Verifies all there is, from scratch; see whole-log.ts. */
  check(): Promise<WholeLog> {
    return checkWholeLog({
      dynamoDb: this.clients.dynamoDb,
      s3: this.clients.s3,
      name: this.name,
      macKey: this.key,
    });
  }
}
