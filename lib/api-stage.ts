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
import { ROUTES } from "../contract/routes.ts";
import type { Config } from "./config.ts";

const STAGE_NAME = "live";
/**
 * For all callers of a public method together: a flood must leave functions for the calls with a key. It is the limit of
 * every method that has none of its own, too.
 */
const PUBLIC_THROTTLE = { throttlingRateLimit: 100, throttlingBurstLimit: 200 };

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
    ...PUBLIC_THROTTLE,
    methodOptions: throttles(config),
  };
}

/** The plans limit each tenant; these limit what all callers of one method take together. */
function throttles({ keyedThrottle: { rate, burst } }: Config): Record<string, MethodDeploymentOptions> {
  const keyed = { throttlingRateLimit: rate, throttlingBurstLimit: burst };
  return Object.fromEntries(
    ROUTES.map(({ path, method, access }) => [
      `${path}/${method}`,
      access === "key" ? keyed : PUBLIC_THROTTLE,
    ]),
  );
}
