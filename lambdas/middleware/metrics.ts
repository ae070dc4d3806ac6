// The functions' metrics, in CloudWatch's embedded metric format: log lines at the end of each call, one for each plan whose
// calls were counted and one for all else. Calls of one process share the values that are waiting: the call that ends first
// emits them all, and none is emitted twice.
import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import {
  METRIC_NAMES,
  type Meter,
  type MetricName,
  PLAN_DIMENSION,
  type PlanMeter,
  type PlanMetricName,
} from "../../contract/metric-names.ts";
import type { ReachedLimit } from "../../contract/problem-details.ts";

/** A line of a plan has each value under two sets of dimensions: that of the deployment, and that with the plan. */
class PlanMetrics extends Metrics {
  readonly #plan: string;

  constructor(plan: string) {
    super();
    this.#plan = plan;
  }

  /** Powertools also calls it where a line has no room for another value, and forgets the dimensions each time. */
  override publishStoredMetrics(): this {
    this.addDimensions({}).addDimensions({ [PLAN_DIMENSION]: this.#plan });
    return super.publishStoredMetrics();
  }
}

/** The namespace, the deployment's name and whether metrics are emitted come from POWERTOOLS_ variables. */
const metrics = new Metrics();
/** By the plan's name, of which a deployment has some thirty at most. */
const ofPlans = new Map<string, PlanMetrics>();

const SECONDS: ReadonlySet<MetricName> = new Set(["sealLag", "checkpointAge"]);

/** Several values of one name within one call are all emitted: CloudWatch sums them, or takes the largest. */
export const meter: Meter = (metric, value) => {
  metrics.addMetric(METRIC_NAMES[metric], SECONDS.has(metric) ? MetricUnit.Seconds : MetricUnit.Count, value);
};

export const meterPlan: PlanMeter = (metric, plan, value) => {
  const ofPlan = ofPlans.get(plan) ?? new PlanMetrics(plan);
  ofPlans.set(plan, ofPlan);
  ofPlan.addMetric(METRIC_NAMES[metric], MetricUnit.Count, value);
};

const REFUSALS = {
  rate: "rateRefusals",
  monthly_quota: "quotaRefusals",
} as const satisfies Record<ReachedLimit["limit"], PlanMetricName>;

/** Counts a call that a limit of its tenant's plan refused. */
export const meterRefusal = (plan: string, limit: ReachedLimit["limit"]): void =>
  meterPlan(REFUSALS[limit], plan, 1);

/** Emits what is waiting. Before a process ends there may be values that came after its last call. */
export function publishMetrics(): void {
  for (const waiting of [metrics, ...ofPlans.values()]) {
    if (waiting.hasStoredMetrics()) waiting.publishStoredMetrics();
  }
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
