// POST /bridge/{platform} of the bridge's function address: takes the webhooks of hosted voice platforms. It runs in the
// account of whoever owns the platforms' accounts, and reaches the service under its public address.
import { readFileSync } from "node:fs";
import type { APIGatewayProxyStructuredResultV2, LambdaFunctionURLEvent } from "aws-lambda";
import { Bridge, type BridgeAnswer } from "../clients/bridge/bridge.ts";
import { parseJsonAs } from "../clients/bridge/parse-settings.ts";
import {
  BRIDGE_PATH,
  bridgeSecretSchema,
  bridgeSettingsSchema,
  bridgeVariables,
} from "../contract/bridge-settings.ts";
import { DisclosureError } from "../evidence/core/errors.ts";
import { readEnvironment } from "../service/environment.ts";
import { logBridgeNote } from "./middleware/bridge-log.ts";
import { measured } from "./middleware/metrics.ts";

/** AWS's extension for secrets, beside this process. It keeps what it read for five minutes. */
const SECRETS = "http://localhost:2773/secretsmanager/get";
const SECRET_TIMEOUT_MS = 2_000;

let opened: { readonly secret: string; readonly bridge: Bridge } | null = null;

/** The bridge with the secrets as they are now: after a rotation, it is another one. */
async function openBridge(): Promise<Bridge> {
  const { BRIDGE_FILE, BRIDGE_SECRET, SERVICE_URL: serviceUrl } = readEnvironment(bridgeVariables);
  const secret = await readSecret(BRIDGE_SECRET);
  if (opened?.secret === secret) return opened.bridge;
  const settings = parseJsonAs(bridgeSettingsSchema, readFileSync(BRIDGE_FILE, "utf8"), BRIDGE_FILE);
  const { apiKey, ...secrets } = parseJsonAs(bridgeSecretSchema, secret, "the secret");
  const bridge = new Bridge({ settings, secrets, serviceUrl, apiKey, onNote: logBridgeNote });
  opened = { secret, bridge };
  return bridge;
}

async function readSecret(id: string): Promise<string> {
  const { AWS_SESSION_TOKEN: token = "" } = process.env;
  const response = await fetch(`${SECRETS}?secretId=${encodeURIComponent(id)}`, {
    headers: { "x-aws-parameters-secrets-token": token },
    signal: AbortSignal.timeout(SECRET_TIMEOUT_MS),
  });
  if (!response.ok)
    throw new DisclosureError("misconfigured", "the secret can't be read", { status: response.status });
  const { SecretString: text } = (await response.json()) as { SecretString?: unknown };
  return String(text);
}

async function answer(event: LambdaFunctionURLEvent): Promise<APIGatewayProxyStructuredResultV2> {
  const { headers, body = "", isBase64Encoded, rawPath, requestContext } = event;
  if (requestContext.http.method !== "POST" || !rawPath.startsWith(BRIDGE_PATH))
    return resultOf({ status: 404, body: { title: "there is nothing under this path" } });
  const bridge = await openBridge();
  const readBody = (maxBytes: number): Uint8Array => {
    const bytes = Buffer.from(body, isBase64Encoded ? "base64" : "utf8");
    if (bytes.length <= maxBytes) return bytes;
    throw new DisclosureError("payload_too_large", `the body exceeds ${maxBytes} bytes`);
  };
  return resultOf(await bridge.answer(rawPath.slice(BRIDGE_PATH.length), { headers, readBody }));
}

export const handler = measured(answer);

const resultOf = ({ status, body }: BridgeAnswer): APIGatewayProxyStructuredResultV2 => ({
  statusCode: status,
  headers: { "content-type": "application/json", "cache-control": "no-store" },
  body: JSON.stringify(body),
});
