// The metrics that alarms and dashboard show: our own, and those of AWS.
import { Duration } from "aws-cdk-lib";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { METRIC_NAMES, METRICS_NAMESPACE, type MetricName } from "../contract/metric-names.ts";
import type { Api } from "./api.ts";
import type { ApiFunctions } from "./api-functions.ts";
import type { Config } from "./config.ts";
import type { LedgerTable } from "./ledger-table.ts";
import type { Sealer } from "./sealer.ts";

export const PERIOD = Duration.minutes(5);

/** The parts of a deployment that have metrics. */
export interface MeasuredParts {
  readonly config: Config;
  readonly ledger: LedgerTable;
  readonly functions: ApiFunctions;
  readonly api: Api;
  readonly sealer: Sealer;
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
    dimensionsMap: { service: name },
    statistic,
    period,
  });

export const serverErrors = ({ rest }: Api): Metric =>
  rest.deploymentStage.metricServerError({ statistic: "Sum", period: PERIOD });

export const deadLetters = ({ deadLetters }: Sealer): Metric =>
  deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: "Maximum", period: PERIOD });

/** Calls that AWS refused, by what refused them: functions over their concurrency, the table over its limits. */
export function throttles({ api, authorizer }: ApiFunctions, { table }: LedgerTable): Record<string, Metric> {
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
