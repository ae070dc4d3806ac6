// The metrics that alarms and dashboard look at: our own, and those of the services.
import { Duration } from "aws-cdk-lib";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { METRIC_NAMES, METRICS_NAMESPACE } from "../service/metric-names.ts";
import type { Api } from "./api.ts";
import type { Handlers } from "./api-functions.ts";
import type { LedgerTable } from "./ledger-table.ts";
import type { Sealer } from "./sealer.ts";

export const PERIOD = Duration.minutes(5);

export type OwnMetric = keyof typeof METRIC_NAMES;

/** One of the metrics that the functions of the deployment `name` emit. */
export const ownMetric = (
  name: string,
  metric: OwnMetric,
  statistic: "Sum" | "Maximum",
  period: Duration = PERIOD,
): Metric =>
  new Metric({
    namespace: METRICS_NAMESPACE,
    metricName: METRIC_NAMES[metric],
    dimensionsMap: { service: name },
    statistic,
    period,
  });

export const serverErrors = ({ rest }: Api): Metric =>
  rest.deploymentStage.metricServerError({ statistic: "Sum", period: PERIOD });

export const deadLetters = ({ deadLetters }: Sealer): Metric =>
  deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: "Maximum", period: PERIOD });

/** Calls that AWS turned away, by who turned them away: functions over their concurrency, the table over its limits. */
export function throttles({ api, authorizer }: Handlers, { table }: LedgerTable): Record<string, Metric> {
  const ofTable = (metricName: string): Metric =>
    new Metric({
      namespace: "AWS/DynamoDB",
      metricName,
      dimensionsMap: { TableName: table.tableName },
      statistic: "Sum",
      period: PERIOD,
    });
  return {
    attest: api.attest.lambda.metricThrottles({ period: PERIOD }),
    authorize: authorizer.lambda.metricThrottles({ period: PERIOD }),
    reads: ofTable("ReadThrottleEvents"),
    writes: ofTable("WriteThrottleEvents"),
  };
}
