// What an operator sees, and what wakes one.
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";
import { AlarmTopic } from "./alarm-topic.ts";
import { Alarms, type AlarmsProps } from "./alarms.ts";
import { Dashboard } from "./dashboard.ts";

export type ObservabilityProps = Omit<AlarmsProps, "topic">;

export class Observability extends Construct {
  readonly topic: ITopic;

  constructor(scope: Construct, id: string, props: ObservabilityProps) {
    super(scope, id);
    this.topic = new AlarmTopic(this, "AlarmTopic", props.config).topic;
    new Alarms(this, "Alarms", { ...props, topic: this.topic });
    new Dashboard(this, "Dashboard", props);
  }
}
