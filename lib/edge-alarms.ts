// A stack of its own in us-east-1, where CloudFront reports its metrics: CloudWatch raises an alarm only on metrics of
// the alarm's own Region.
import { type App, CfnOutput, Stack, Tags } from "aws-cdk-lib";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import type { AttestationServiceProps } from "./attestation-service.ts";
import { tagCosts } from "./parts/cost-tag.ts";
import { addOperatorAlarm } from "./parts/operator-alarm.ts";
import { parseConfig } from "./settings/config.ts";
import { AlarmTopic } from "./watch/alarm-topic.ts";
import { PERIOD } from "./watch/metrics.ts";

const CLOUDFRONT_REGION = "us-east-1";
/** Percent of all requests. The API's own errors count here, too, so this is more than a few of them. */
const MAX_ERROR_PERCENT = 5;

/** Null where the settings name no distribution. Throws `misconfigured`, in one line. */
export function newEdgeAlarmStack(
  app: App,
  { assetsFolder: _assets, ...settings }: AttestationServiceProps,
): Stack | null {
  const config = parseConfig(settings);
  const { edgeAlarms: DistributionId } = config;
  if (DistributionId === undefined) return null;
  const stack = new Stack(app, `${config.name}-edge`, {
    description: "Disclosure receipts: alarms on CloudFront",
    env: { region: CLOUDFRONT_REGION },
  });
  Tags.of(stack).add("service", config.name);
  tagCosts(stack, config.name);
  const { topic } = new AlarmTopic(stack, "Alarms", config);
  const metric = new Metric({
    namespace: "AWS/CloudFront",
    metricName: "5xxErrorRate",
    dimensionsMap: { DistributionId, Region: "Global" },
    statistic: "Average",
    period: PERIOD,
  });
  addOperatorAlarm(stack, {
    name: config.name,
    topic,
    section: "edge-errors",
    metric,
    threshold: MAX_ERROR_PERCENT,
    options: { evaluationPeriods: 2 },
  });
  new CfnOutput(stack, "AlarmTopic", { value: topic.topicArn });
  return stack;
}
