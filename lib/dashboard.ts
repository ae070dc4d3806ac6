// The dashboard: traffic, latency, progress of sealing, and errors.
import { Stack } from "aws-cdk-lib";
import { Dashboard as CloudWatchDashboard, GraphWidget, type IMetric } from "aws-cdk-lib/aws-cloudwatch";
import { Construct } from "constructs";
import type { MetricName } from "../contract/metric-names.ts";
import { deadLetters, type MeasuredParts, ownMetric, PERIOD, serverErrors, throttles } from "./metrics.ts";

const WIDTH = 8;

export class Dashboard extends Construct {
  constructor(scope: Construct, id: string, { config, ledger, functions, api, sealer }: MeasuredParts) {
    super(scope, id);
    const own = (metric: MetricName) => ownMetric(config.name, metric, "Sum");
    const stage = api.rest.deploymentStage;
    const percentile = (statistic: string) => stage.metricLatency({ statistic, period: PERIOD });
    new CloudWatchDashboard(this, "Dashboard", {
      // The account has one list of dashboards for all its regions.
      dashboardName: `${config.name}-${Stack.of(this).region}`,
      widgets: [
        [
          graph("Receipts", [own("attestations"), own("sealedReceipts")]),
          graph("Latency", [percentile("p50"), percentile("p99")]),
          graph("Answers", [
            stage.metricCount({ period: PERIOD }),
            stage.metricClientError({ period: PERIOD }),
          ]),
        ],
        [
          graph("Seal lag, seconds", [ownMetric(config.name, "sealLag", "Maximum")]),
          graph("Timestamps", [
            own("timestampFailures"),
            ownMetric(config.name, "incompleteSeals", "Maximum"),
          ]),
          graph("Chains with news", [own("chainsWithNews")]),
        ],
        [
          graph("Server errors", [serverErrors(api), own("publicationConflicts"), deadLetters(sealer)]),
          graph("Contention", [own("lostRaces"), ...Object.values(throttles(functions, ledger))]),
          graph("Table", [
            ledger.table.metricConsumedReadCapacityUnits({ period: PERIOD }),
            ledger.table.metricConsumedWriteCapacityUnits({ period: PERIOD }),
          ]),
        ],
        [
          graph("Checkpoint age, seconds", [ownMetric(config.name, "checkpointAge", "Maximum")]),
          graph("Checkpoint failures", [own("checkpointFailures"), own("largerTrees")]),
          graph("Cosignatures of a checkpoint", [
            ownMetric(config.name, "cosignatures", "Minimum"),
            own("missedQuorums"),
          ]),
        ],
      ],
    });
  }
}

const graph = (title: string, left: IMetric[]): GraphWidget => new GraphWidget({ title, left, width: WIDTH });
