// MiniStack, the AWS emulator that is deployed to. It runs the functions' bundles with the Node that runs the tests.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { COMPILED } from "../support/compiled.ts";
import { ACCOUNT, CREDENTIALS, REGION } from "../support/deployment.ts";
import { type Close, freePort, startDaemon } from "./daemon.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** Our Node first, under the name by which programs look for it. */
export const PATH = `${join(ROOT, "node_modules", ".bin")}:${dirname(process.execPath)}:${process.env.PATH}`;

export interface Emulator {
  readonly endpoint: string;
  readonly close: Close;
}

/** Starts an empty one, whose state lives in memory and in `folder`. `python` has it installed. */
export async function startEmulator(python: string, folder: string): Promise<Emulator> {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const temporary = join(folder, "emulator");
  mkdirSync(temporary);
  const environment = {
    PATH,
    HOME: temporary,
    TMPDIR: temporary,
    STATE_DIR: join(temporary, "state"),
    S3_DATA_DIR: join(temporary, "s3"),
    // It would listen everywhere.
    BIND_HOST: "127.0.0.1",
    GATEWAY_PORT: String(port),
    MINISTACK_REGION: REGION,
    IOT_MTLS_ENABLED: "0",
    SFTP_ENABLED: "0",
    LAMBDA_EXECUTOR: "local",
    // CDK's own function, which empties a bucket before it is deleted, takes the SDK from Lambda's runtime.
    NODE_PATH: join(ROOT, "node_modules"),
  };
  const close = await startDaemon({
    command: [python, "-m", "ministack"],
    cwd: temporary,
    environment,
    log: join(folder, "emulator.log"),
    url: `${endpoint}/_ministack/health`,
  });
  return { endpoint, close };
}

/** What makes the CDK's command line reach the emulator, and nothing else of this machine. */
export const cdkEnvironment = (endpoint: string, home: string) => ({
  PATH,
  HOME: home,
  TMPDIR: home,
  ...COMPILED,
  AWS_ENDPOINT_URL: endpoint,
  AWS_ENDPOINT_URL_S3: endpoint,
  AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
  AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
  AWS_REGION: REGION,
  AWS_EC2_METADATA_DISABLED: "true",
  CDK_DEFAULT_ACCOUNT: ACCOUNT,
  CDK_DEFAULT_REGION: REGION,
  CDK_DISABLE_VERSION_CHECK: "1",
  CDK_DISABLE_CLI_TELEMETRY: "true",
});
