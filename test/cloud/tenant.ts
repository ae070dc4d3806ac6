// A new tenant of the deployed service for each file of the end-to-end tests, made by the operator's program.
import { readFileSync } from "node:fs";
import { KMSClient } from "@aws-sdk/client-kms";
import { SSMClient } from "@aws-sdk/client-ssm";
import { readDeployment } from "../../service/deployment.ts";
import { ApiClient } from "../support/api-client.ts";
import { codeOf, dayOf, deriveDayKey } from "../support/deployment.ts";
import type { Target } from "../support/target.ts";
import { newKey, target } from "./target.ts";

/** A seal comes by schedule, and waits for its authorities. */
const PATIENCE_MS = 8 * 60_000;
const KNOWN_AUTHORITIES = ["digicert-trusted-root-g4.pem", "globalsign-root-r6.pem"];

export async function newCloudTenant(): Promise<Target> {
  const name = target.name ?? "";
  const [key, { macKeyId }] = await Promise.all([newKey(name), readDeployment(new SSMClient(), name)]);
  const kms = new KMSClient();
  const access = { url: target.url, apiKey: key, trustAnchorsPem: trustAnchors(), patienceMs: PATIENCE_MS };
  return {
    api: new ApiClient(access),
    authenticate: async (keyId, message) => codeOf(await deriveDayKey(kms, macKeyId, dayOf(keyId)), message),
  };
}

/** A deployment with authorities of its own has its operator name their certificates. */
function trustAnchors(): string {
  const own = process.env.CLOUD_TSA_CA;
  if (own !== undefined) return readFileSync(own, "utf8");
  const files = KNOWN_AUTHORITIES.map((file) => new URL(`../../lib/trust-anchors/${file}`, import.meta.url));
  return files.map((file) => readFileSync(file, "utf8")).join("\n");
}
