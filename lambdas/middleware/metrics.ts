// What the functions tell CloudWatch, in its embedded metric format: a log line at the end of each call.
import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import { METRIC_NAMES, type Meter, type MetricName } from "../../service/metric-names.ts";

/** The namespace, the deployment's name and whether anybody listens come from POWERTOOLS_ variables. */
const metrics = new Metrics();

const SECONDS: ReadonlySet<MetricName> = new Set(["sealLag"]);

/** Values of one name within one call are kept side by side: CloudWatch sums them, or takes the largest. */
export const meter: Meter = (metric, value) =>
  metrics.addMetric(METRIC_NAMES[metric], SECONDS.has(metric) ? MetricUnit.Seconds : MetricUnit.Count, value);

/** Sends what was counted during a call, whatever became of the call. */
export const measured =
  <A extends unknown[], R>(handler: (...args: A) => Promise<R>) =>
  async (...args: A): Promise<R> => {
    try {
      return await handler(...args);
    } finally {
      if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
    }
  };
