// The metrics that alarms and dashboard show: our own, and those of AWS.
import { Duration } from "aws-cdk-lib";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import {
  METRIC_NAMES,
  METRICS_NAMESPACE,
  type MetricName,
  PLAN_DIMENSION,
  type PlanMetricName,
  SERVICE_DIMENSION,
} from "../../contract/metric-names.ts";
import type { WebServerName } from "../../contract/web-runtime.ts";
import type { BillStore } from "../evidence/bills.ts";
import type { LedgerTable } from "../evidence/ledger-table.ts";
import type { Front, GatewayFront, WebFront } from "../front/front.ts";
import type { Sealer } from "../runs/sealer.ts";
import type { Webhooks } from "../runs/webhooks.ts";
import type { Config } from "../settings/config.ts";

export const PERIOD = Duration.minutes(5);

/** The parts of a deployment that have metrics. */
export interface MeasuredParts {
  readonly config: Config;
  readonly ledger: LedgerTable;
  readonly front: Front;
  readonly sealer: Sealer;
  readonly bills: BillStore;
  readonly webhooks: Webhooks;
}

/** One of the metrics that the functions of the deployment `name` emit. */
export const ownMetric = (
  name: string,
  metric: MetricName,
  statistic: "Sum" | "Average" | "Maximum" | "Minimum",
  period: Duration = PERIOD,
): Metric =>
  new Metric({
    namespace: METRICS_NAMESPACE,
    metricName: METRIC_NAMES[metric],
    dimensionsMap: { [SERVICE_DIMENSION]: name },
    statistic,
    period,
  });

/** A metric that the functions count of one plan's calls. */
export const planMetric = (
  name: string,
  plan: string,
  metric: PlanMetricName,
  statistic: "Sum" | "Average",
): Metric =>
  new Metric({
    namespace: METRICS_NAMESPACE,
    metricName: METRIC_NAMES[metric],
    dimensionsMap: { [SERVICE_DIMENSION]: name, [PLAN_DIMENSION]: plan },
    statistic,
    period: PERIOD,
    label: plan,
  });

/** Answers with 5xx, by what gave them: API Gateway's stage, or each server. */
export function serverErrors(front: Front): Record<string, Metric> {
  if (front.runtime === "web") return { attest: errorsOf(front, "attest"), read: errorsOf(front, "read") };
  const { deploymentStage } = front.api.rest;
  return { api: deploymentStage.metricServerError({ statistic: "Sum", period: PERIOD }) };
}

/** CloudWatch has no value for a time without such an answer. */
const errorsOf = ({ web }: WebFront, server: WebServerName): Metric =>
  new Metric({
    namespace: "AWS/Lambda/Web",
    metricName: "HTTPResponseStatusClass5XX",
    dimensionsMap: web[server].dimensions,
    statistic: "Sum",
    period: PERIOD,
  });

export const deadLetters = ({ deadLetters }: Pick<Sealer, "deadLetters">): Metric =>
  deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: "Maximum", period: PERIOD });

/** Calls that AWS refused, by what refused them: functions over their concurrency, the table over its limits. */
export function throttles(front: Front, { table }: LedgerTable): Record<string, Metric> {
  const ofTable = (metricName: string): Metric =>
    new Metric({
      namespace: "AWS/DynamoDB",
      metricName,
      dimensionsMap: { TableName: table.tableName },
      statistic: "Sum",
      period: PERIOD,
    });
  return {
    ...(front.runtime === "functions" && functionThrottles(front)),
    reads: ofTable("ReadThrottleEvents"),
    writes: ofTable("WriteThrottleEvents"),
  };
}

const functionThrottles = ({ functions: { api, authorizer } }: GatewayFront): Record<string, Metric> => ({
  attest: api.attest.lambda.metricThrottles({ period: PERIOD }),
  authorize: authorizer.lambda.metricThrottles({ period: PERIOD }),
});
