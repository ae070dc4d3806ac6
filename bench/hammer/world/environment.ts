// The environment of the service's processes, whose addresses all lead to the fault proxy.
import { METRICS_NAMESPACE } from "../../../contract/metric-names.ts";
import { MAX_WEB_CONCURRENCY } from "../../../contract/web-runtime.ts";
import { AUTHORITY_PREFIX, type ClientRole, WITNESS_PREFIX } from "../proxy/messages.ts";
import type { OpenStandIns } from "./messages.ts";

/** In a deployment it is a minute. */
export const SEAL_INTERVAL_MS = 3_000;
const WITNESS_NAME = "hammer";

export interface MemberEnvironment {
  readonly standIns: OpenStandIns;
  /** The proxy's address for processes of this role. */
  readonly proxy: string;
  readonly secret: string;
  readonly witnessPolicyFile: string;
}

export function environmentOf(
  role: ClientRole,
  { standIns, proxy, secret, witnessPolicyFile }: MemberEnvironment,
): Record<string, string> {
  const authorities = standIns.upstreams.authorities.map((_, at) => `${proxy}${AUTHORITY_PREFIX}${at}`);
  return {
    ...standIns.environment,
    PATH: process.env.PATH ?? "",
    AWS_ENDPOINT_URL_DYNAMODB: proxy,
    AWS_ENDPOINT_URL_S3: proxy,
    AWS_ENDPOINT_URL_KMS: proxy,
    TSA_URLS: authorities.join(","),
    // A token of each, under different trust anchors.
    SEAL_TIMESTAMPS: String(authorities.length),
    POWERTOOLS_LOG_LEVEL: "WARN",
    POWERTOOLS_METRICS_NAMESPACE: METRICS_NAMESPACE,
    POWERTOOLS_SERVICE_NAME: "hammer",
    HOST: "127.0.0.1",
    PORT: "0",
    ORIGIN_SECRET: secret,
    MAX_REQUESTS: String(MAX_WEB_CONCURRENCY),
    ...(role === "seal" && {
      WITNESS_POLICY_FILE: witnessPolicyFile,
      WITNESS_PLAIN_HTTP: "true",
      HAMMER_SEAL_INTERVAL_MS: String(SEAL_INTERVAL_MS),
    }),
  };
}

/** The tlog-policy by which the sealer asks the witness. */
export const witnessPolicy = (vkey: string, proxy: string): string =>
  `witness ${WITNESS_NAME} ${vkey} ${proxy}${WITNESS_PREFIX}\nquorum ${WITNESS_NAME}\n`;
