// The bridge for hosted voice platforms on this machine: one route, off unless it is configured.
import { readFileSync } from "node:fs";
import { Bridge } from "../../clients/bridge/bridge.ts";
import { parseJsonAs } from "../../clients/bridge/parse-settings.ts";
import { BRIDGE_PATH, bridgeSettingsSchema, webhookSecretsSchema } from "../../contract/bridge-settings.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { logBridgeNote } from "../../lambdas/middleware/bridge-log.ts";
import { type HttpHandler, readBody } from "../server/http-server.ts";
import type { Settings } from "./settings.ts";

/** How the bridge reaches the stack: under its public address, with a key, as from another account. */
export interface BridgedService {
  readonly url: string;
  readonly apiKey: string;
}

/** Null where it is not configured. Throws `misconfigured`. */
export function openLocalBridge(
  { BRIDGE_FILE, BRIDGE_SECRETS_FILE }: Settings,
  { url: serviceUrl, apiKey }: BridgedService,
): Bridge | null {
  if (BRIDGE_FILE === undefined || BRIDGE_SECRETS_FILE === undefined) return null;
  const settings = parseJsonAs(bridgeSettingsSchema, read("BRIDGE_FILE", BRIDGE_FILE), BRIDGE_FILE);
  const text = read("BRIDGE_SECRETS_FILE", BRIDGE_SECRETS_FILE);
  const secrets = parseJsonAs(webhookSecretsSchema, text, BRIDGE_SECRETS_FILE);
  return new Bridge({ settings, secrets, serviceUrl, apiKey, onNote: logBridgeNote });
}

function read(setting: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new DisclosureError("misconfigured", `${setting}: there is no file ${file}`, { file }, cause);
  }
}

/** The bridge answers for the paths below its own; `handler` answers for all others. */
export const withBridge =
  (handler: HttpHandler, bridge: Bridge): HttpHandler =>
  async (incoming) => {
    const [path = "/"] = (incoming.url ?? "/").split("?", 1);
    if (incoming.method !== "POST" || !path.startsWith(BRIDGE_PATH)) return handler(incoming);
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, value?.toString()]),
    );
    const answer = await bridge.answer(path.slice(BRIDGE_PATH.length), {
      headers,
      readBody: (maxBytes) => readBody(incoming, maxBytes),
    });
    return {
      status: answer.status,
      headers: { "content-type": "application/json", "cache-control": "no-store" },
      body: JSON.stringify(answer.body),
    };
  };
