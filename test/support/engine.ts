// The DynamoDB that ledgers of tests are kept in: the local one or, in `npm run test:deploy`, AWS's own DynamoDB Local.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, inject } from "vitest";
import { openDynamoDb } from "../../host/local/dynamodb/server.ts";
import { startDynamoDb } from "../../host/local/dynamodb.ts";
import { inProcess, unsigned } from "./in-process.ts";

interface Closing {
  readonly close: () => Promise<void>;
}

export interface Engine extends Closing {
  readonly endpoint: string;
}

/** The part of a client's configuration that leads to an engine. */
export interface EngineConnection {
  readonly endpoint: string;
  readonly signer: typeof unsigned;
  readonly requestHandler?: ReturnType<typeof inProcess>;
}

/** The address of the calls that never leave the process. */
export const NOWHERE = "http://in-process.invalid";

/** Whether this is the second engine: all tests of the service run on the first, in `npm test` and `npm run test:faults`. */
export const isSecondEngine = inject("dynamoDbEndpoint") !== undefined;

/** An engine that is reached over HTTP. `file` is for one that is started for these tests alone. */
export async function openEngine(where: { file: string }): Promise<Engine> {
  const endpoint = inject("dynamoDbEndpoint");
  return endpoint === undefined ? startDynamoDb(where) : { endpoint, close: async () => {} };
}

/** The same for all tests of a file, which ends with them. */
export async function useEngine(): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-"));
  const engine = await openEngine({ file: join(folder, "d") });
  afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return engine;
}

/** An engine for many calls: the local one runs in this process, and no call to it passes through a socket. */
export function openNearEngine(file: string): Closing & { readonly connection: EngineConnection } {
  const endpoint = inject("dynamoDbEndpoint");
  if (endpoint !== undefined) return { connection: { endpoint, signer: unsigned }, close: async () => {} };
  const engine = openDynamoDb(file);
  const requestHandler = inProcess(engine.handler);
  const connection = { endpoint: NOWHERE, signer: unsigned, requestHandler };
  return { connection, close: async () => engine.close() };
}
