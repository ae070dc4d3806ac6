// The dashboard: traffic, latency, progress of sealing, and errors.
import { Stack } from "aws-cdk-lib";
import { Dashboard as CloudWatchDashboard, GraphWidget, type IMetric } from "aws-cdk-lib/aws-cloudwatch";
import { Construct } from "constructs";
import type { MetricName } from "../../contract/metric-names.ts";
import type { GatewayFront } from "../front/front.ts";
import {
  deadLetters,
  type MeasuredParts,
  ownMetric,
  PERIOD,
  planMetric,
  serverErrors,
  throttles,
} from "./metrics.ts";

const WIDTH = 8;

export class Dashboard extends Construct {
  constructor(scope: Construct, id: string, parts: MeasuredParts) {
    super(scope, id);
    new CloudWatchDashboard(this, "Dashboard", {
      // The account has one list of dashboards for all its regions.
      dashboardName: `${parts.config.name}-${Stack.of(this).region}`,
      widgets: [
        callWidgets(parts),
        planWidgets(parts),
        sealWidgets(parts),
        faultWidgets(parts),
        checkpointWidgets(parts),
        webhookWidgets(parts),
      ],
    });
  }
}

/** The rows, from top to bottom. */
function callWidgets({ config: { name }, front }: MeasuredParts): GraphWidget[] {
  const receipts = graph("Receipts", [sum(name, "attestations"), sum(name, "sealedReceipts")]);
  return front.runtime === "web" ? [receipts] : [receipts, ...gatewayWidgets(front)];
}

function gatewayWidgets({ api }: GatewayFront): GraphWidget[] {
  const stage = api.rest.deploymentStage;
  const percentile = (statistic: string) => stage.metricLatency({ statistic, period: PERIOD });
  return [
    graph("Latency", [percentile("p50"), percentile("p99")]),
    graph("Answers", [stage.metricCount({ period: PERIOD }), stage.metricClientError({ period: PERIOD })]),
  ];
}

/** The plans show who fills the service; no graph names a tenant. */
function planWidgets({ config: { name, plans } }: MeasuredParts): GraphWidget[] {
  const names = Object.keys(plans);
  return [
    graph(
      "Attestations by plan",
      names.map((plan) => planMetric(name, plan, "attestations", "Sum")),
    ),
    graph(
      "Lost races a receipt by plan",
      names.map((plan) => planMetric(name, plan, "lostRaces", "Average")),
    ),
    graph("Refused by a limit", [sum(name, "rateRefusals"), sum(name, "quotaRefusals")]),
  ];
}

const sealWidgets = ({ config: { name } }: MeasuredParts): GraphWidget[] => [
  graph("Seal lag, seconds", [ownMetric(name, "sealLag", "Maximum")]),
  graph("Timestamps", [
    sum(name, "timestampFailures"),
    sum(name, "stampedSealFailures"),
    ownMetric(name, "incompleteSeals", "Maximum"),
  ]),
  graph("Chains with news", [sum(name, "chainsWithNews")]),
];

const faultWidgets = ({ config: { name }, ledger, front, sealer, bills }: MeasuredParts): GraphWidget[] => [
  graph("Server errors", [
    ...Object.values(serverErrors(front)),
    sum(name, "publicationConflicts"),
    sum(name, "unclaimedEntries"),
    deadLetters(sealer),
    deadLetters(bills.biller),
    sum(name, "billFailures"),
  ]),
  graph("Contention", [ownMetric(name, "lostRaces", "Average"), ...Object.values(throttles(front, ledger))]),
  graph("Table", [
    ledger.table.metricConsumedReadCapacityUnits({ period: PERIOD }),
    ledger.table.metricConsumedWriteCapacityUnits({ period: PERIOD }),
  ]),
];

const webhookWidgets = ({ config: { name } }: MeasuredParts): GraphWidget[] => [
  graph("Webhooks and events", [
    sum(name, "webhookDeliveries"),
    sum(name, "webhookFailures"),
    sum(name, "webhookDeadLetters"),
    sum(name, "eventFailures"),
  ]),
];

const checkpointWidgets = ({ config: { name } }: MeasuredParts): GraphWidget[] => [
  graph("Checkpoint age, seconds", [ownMetric(name, "checkpointAge", "Maximum")]),
  graph("Checkpoint failures", [sum(name, "checkpointFailures"), sum(name, "largerTrees")]),
  graph("Cosignatures of a checkpoint", [
    ownMetric(name, "cosignatures", "Minimum"),
    sum(name, "missedQuorums"),
  ]),
];

const sum = (name: string, metric: MetricName): IMetric => ownMetric(name, metric, "Sum");

const graph = (title: string, left: IMetric[]): GraphWidget => new GraphWidget({ title, left, width: WIDTH });
