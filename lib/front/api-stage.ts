// The API's one stage: its access log, and the throttles of its methods.
import { RemovalPolicy } from "aws-cdk-lib";
import {
  AccessLogFormat,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  type StageOptions,
} from "aws-cdk-lib/aws-apigateway";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { PUBLIC_THROTTLE } from "../../contract/limits.ts";
import { ROUTES } from "../../contract/routes.ts";
import type { Config } from "../settings/config.ts";
import { isGradual } from "./rollout.ts";

export const STAGE_NAME = "live";
/** It is the limit of every method that has none of its own, too. */
const OF_PUBLIC_METHODS = throttleOf(PUBLIC_THROTTLE);

/** The route's pattern and never the path, which holds identifiers; no header, no query, no caller's address. */
const ACCESS_LOG = {
  request_id: "$context.requestId",
  time: "$context.requestTimeEpoch",
  method: "$context.httpMethod",
  route: "$context.resourcePath",
  status: "$context.status",
  gateway_response: "$context.error.responseType",
  key_id: "$context.authorizer.keyId",
  latency_ms: "$context.responseLatency",
  integration_latency_ms: "$context.integrationLatency",
  response_bytes: "$context.responseLength",
  tls_version: "$context.tlsVersion",
};

export function stageOptions(scope: Construct, config: Config): StageOptions {
  const { isProduction, logRetentionDays } = config;
  const accessLogs = new LogGroup(scope, "AccessLogs", {
    retention: logRetentionDays,
    removalPolicy: isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  return {
    stageName: STAGE_NAME,
    tracingEnabled: config.tracing,
    accessLogDestination: new LogGroupLogDestination(accessLogs),
    accessLogFormat: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
    ...OF_PUBLIC_METHODS,
    methodOptions: methodOptions(config),
  };
}

/**
 * The plans limit each tenant; these limit what all callers of one method take together. A gradual rollout looks at the
 * metrics of the method that attests.
 */
function methodOptions(config: Config): Record<string, MethodDeploymentOptions> {
  const keyed = throttleOf(config.keyedThrottle);
  return Object.fromEntries(
    ROUTES.map(({ path, method, access, handler }) => [
      `${path}/${method}`,
      {
        ...(access === "key" ? keyed : OF_PUBLIC_METHODS),
        ...(handler === "attest" && isGradual(config) && { metricsEnabled: true }),
      },
    ]),
  );
}

function throttleOf({ rate, burst }: Config["keyedThrottle"]): MethodDeploymentOptions {
  return { throttlingRateLimit: rate, throttlingBurstLimit: burst };
}
