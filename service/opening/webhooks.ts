// Opens the delivery of webhooks from the environment.
import { KMSClient } from "@aws-sdk/client-kms";
import { macVariables, webhookVariables } from "../../contract/environment-variables.ts";
import { readEnvironment } from "../environment.ts";
import { WebhookSecrets } from "../webhooks/webhook-secrets.ts";
import { type PostMessage, postFrom } from "../webhooks/webhook-sender.ts";
import { TIMEOUTS } from "./connections.ts";

const ATTEMPTS = 3;

export function openWebhookSecrets(): WebhookSecrets {
  const { MAC_KEY_ID, RETIRED_MAC_KEY_IDS } = readEnvironment(macVariables);
  const client = new KMSClient({ requestHandler: TIMEOUTS, maxAttempts: ATTEMPTS });
  return new WebhookSecrets(client, [MAC_KEY_ID, ...RETIRED_MAC_KEY_IDS]);
}

export const openWebhookSender = (): PostMessage =>
  postFrom(readEnvironment(webhookVariables).WEBHOOK_LOOPBACK ? "loopback_too" : "public");
