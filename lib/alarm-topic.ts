// Where alarms go: an encrypted topic, and the operator's mail box if there is one.
import { Annotations, ArnFormat, RemovalPolicy, Stack } from "aws-cdk-lib";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Construct } from "constructs";
import type { Config } from "./config.ts";

export class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { name, stage, alarmEmail }: Config) {
    super(scope, id);
    this.topic = new Topic(this, "Topic", {
      displayName: `${name} alarms`,
      enforceSSL: true,
      masterKey: this.#key(name),
    });
    this.#letAlarmsIn();
    if (alarmEmail !== undefined) this.topic.addSubscription(new EmailSubscription(alarmEmail));
    else if (stage === "production") {
      Annotations.of(this).addWarningV2(
        "disclosure-receipts:no-alarm-email",
        "no one is told of alarms: set `alarmEmail`, or subscribe to the topic of the output AlarmTopic",
      );
    }
  }

  /** That the topic demands TLS is a policy, and it takes the place of SNS's own, which would let the account's alarms in. */
  #letAlarmsIn(): void {
    const alarms = Stack.of(this).formatArn({
      service: "cloudwatch",
      resource: "alarm",
      resourceName: "*",
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
        actions: ["sns:Publish"],
        resources: [this.topic.topicArn],
        conditions: { ArnLike: { "aws:SourceArn": alarms } },
      }),
    );
  }

  /** CloudWatch can't publish under the account's own key for SNS, so the topic has its own. It keeps nothing. */
  #key(name: string): Key {
    const key = new Key(this, "Key", {
      description: `${name}: alarms`,
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    key.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
        actions: ["kms:Decrypt", "kms:GenerateDataKey"],
        resources: ["*"],
      }),
    );
    return key;
  }
}
