// One CloudWatch alarm: it names its section of the runbook, and tells the topic when it begins and when it ends.
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";

/** Sections of the runbook, by alarm, in its order. */
export const ALARM_SECTIONS = [
  "seal-lag",
  "publication-conflict",
  "unclaimed-entry",
  "damaged-chains",
  "policy-failures",
  "timestamp-failures",
  "server-errors",
  "function-errors",
  "slow-answers",
  "rollout",
  "throttles",
  "lost-races",
  "dead-letters",
  "bills",
  "webhook-dead-letters",
  "checkpoint-age",
  "checkpoint-failures",
  "missed-quorum",
  "larger-tree",
  "evidence-settings",
  "edge-errors",
  "missed-disclosure",
] as const;
export type RunbookSection = (typeof ALARM_SECTIONS)[number];

/** Where an alarm, or a rule that tells the topic, sends its reader. */
export const runbookOf = (section: RunbookSection): string =>
  `What it means and what to do: docs/operations.md#${section}`;

/** `part` distinguishes several alarms of one section. */
export type AlarmOptions = Partial<AlarmProps> & { readonly part?: string };

export interface OperatorAlarmProps {
  /** The deployment's name, with which the alarm's begins. */
  readonly name: string;
  readonly topic: ITopic;
  readonly section: RunbookSection;
  readonly metric: IMetric;
  /** It raises the alarm from here on. */
  readonly threshold: number;
  readonly options?: AlarmOptions;
}

export function addOperatorAlarm(scope: Construct, props: OperatorAlarmProps): Alarm {
  const { name, topic, section, metric, threshold, options: { part, ...options } = {} } = props;
  const id = part === undefined ? section : `${section}-${part}`;
  const alarm = new Alarm(scope, id, {
    alarmName: `${name}-${id}`,
    alarmDescription: runbookOf(section),
    metric,
    threshold,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
    ...options,
  });
  alarm.addAlarmAction(new SnsAction(topic));
  alarm.addOkAction(new SnsAction(topic));
  return alarm;
}
