// Servers of the web runtime as processes of a test file, over the parts of a local stack that runs beside them.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { LOCAL_DEPLOYMENT_FILE, localDeploymentSchema } from "../../contract/deployment.ts";
import { ORIGIN_SECRET_HEADER, type WebServerName } from "../../contract/web-runtime.ts";
import type { LocalStack } from "./local-stack.ts";

const LISTENING = /"message":"listening".*"port":(\d+)/;
const POLL_MS = 5;
const ORIGIN_SECRET = "test".repeat(8);
/** For every call of a server. */
export const FROM_PUBLIC_HOST = { [ORIGIN_SECRET_HEADER]: ORIGIN_SECRET };

const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
});

export interface WebServer {
  readonly url: string;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** The exit code, or null where a signal ended the process. */
  readonly exited: Promise<number | null>;
  readonly output: () => string;
}

/** Starts a server on the parts of `stack` and waits until it listens. `variables` come on top of its environment. */
export async function startWebServer(
  name: WebServerName,
  stack: LocalStack,
  variables: Readonly<Record<string, string>>,
): Promise<WebServer> {
  const program = fileURLToPath(new URL(`../../host/server/${name}-server.ts`, import.meta.url));
  const env = { ...environmentOf(stack), ...variables };
  const child = spawn(process.execPath, [program], { env, stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const exited = once(child, "close").then(() => {
    running.delete(child);
    return child.exitCode;
  });
  for (;;) {
    const port = LISTENING.exec(output)?.[1];
    const url = `http://127.0.0.1:${port}`;
    if (port !== undefined)
      return { url, exited, output: () => output, kill: (signal) => child.kill(signal) };
    if (!running.has(child)) throw new Error(`the server did not start:\n${output}`);
    await delay(POLL_MS);
  }
}

/** As the stack's own handlers have it. Nothing in it is set by Lambda. */
function environmentOf({ dataDir }: LocalStack): Record<string, string> {
  const file = readFileSync(join(dataDir, LOCAL_DEPLOYMENT_FILE), "utf8");
  const { endpoints, ...deployment } = localDeploymentSchema.parse(JSON.parse(file));
  return {
    HOST: "127.0.0.1",
    PORT: "0",
    ORIGIN_SECRET,
    AWS_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: deployment.accessKey,
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamoDb,
    AWS_ENDPOINT_URL_S3: endpoints.s3,
    AWS_ENDPOINT_URL_KMS: endpoints.kms,
    TABLE_NAME: deployment.tableName,
    ROOTS_BUCKET: deployment.rootsBucket,
    MAC_KEY_ID: deployment.macKeyId,
    TSA_CA_FILE: deployment.trustAnchorsFile,
    SHARED_PROCESS: "true",
    POWERTOOLS_METRICS_NAMESPACE: "test",
    POWERTOOLS_LOG_LEVEL: "WARN",
  };
}
