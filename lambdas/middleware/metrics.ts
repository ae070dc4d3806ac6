// The functions' metrics, in CloudWatch's embedded metric format: a log line at the end of each call. Calls of one process
// share the values that are waiting: the call that ends first emits them all, and none is emitted twice.
import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import { METRIC_NAMES, type Meter, type MetricName } from "../../contract/metric-names.ts";

/** The namespace, the deployment's name and whether metrics are emitted come from POWERTOOLS_ variables. */
const metrics = new Metrics();

const SECONDS: ReadonlySet<MetricName> = new Set(["sealLag", "checkpointAge"]);

/** Several values of one name within one call are all emitted: CloudWatch sums them, or takes the largest. */
export const meter: Meter = (metric, value) =>
  metrics.addMetric(METRIC_NAMES[metric], SECONDS.has(metric) ? MetricUnit.Seconds : MetricUnit.Count, value);

/** Emits what is waiting. Before a process ends there may be values that came after its last call. */
export function publishMetrics(): void {
  if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
}

/** Emits the metrics of a call, whether it succeeds or fails. */
export const measured =
  <A extends unknown[], R>(handler: (...args: A) => Promise<R>) =>
  async (...args: A): Promise<R> => {
    try {
      return await handler(...args);
    } finally {
      publishMetrics();
    }
  };
