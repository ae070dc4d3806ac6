// The topic that alarms go to: encrypted, with the operator's e-mail address as a subscriber if one is set.
import { Annotations, ArnFormat, RemovalPolicy, Stack } from "aws-cdk-lib";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Construct } from "constructs";
import type { Config } from "../settings/config.ts";

/** For those that publish to an encrypted topic. */
const KEY_ACTIONS = ["kms:Decrypt", "kms:GenerateDataKey"];
const BUDGETS = new ServicePrincipal("budgets.amazonaws.com");

export class AlarmTopic extends Construct {
  readonly topic: Topic;
  readonly #key: Key;

  constructor(scope: Construct, id: string, { name, isProduction, alarmEmail }: Config) {
    super(scope, id);
    this.#key = this.#addKey(name);
    this.topic = new Topic(this, "Topic", {
      displayName: `${name} alarms`,
      enforceSSL: true,
      masterKey: this.#key,
    });
    this.#allowAlarms();
    if (alarmEmail !== undefined) this.topic.addSubscription(new EmailSubscription(alarmEmail));
    else if (isProduction) {
      Annotations.of(this).addWarningV2(
        "disclosure-receipts:no-alarm-email",
        "nobody gets the alarms: set `alarmEmail`, or subscribe to the topic in the output AlarmTopic",
      );
    }
  }

  /** Lets the account's budgets tell the topic. */
  allowBudgets(): void {
    const stack = Stack.of(this);
    // Budgets have no region.
    const budgets = stack.formatArn({
      service: "budgets",
      region: "",
      resource: "*",
      arnFormat: ArnFormat.NO_RESOURCE_NAME,
    });
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [BUDGETS],
        actions: ["sns:Publish"],
        resources: [this.topic.topicArn],
        conditions: {
          StringEquals: { "aws:SourceAccount": stack.account },
          ArnLike: { "aws:SourceArn": budgets },
        },
      }),
    );
    this.#key.addToResourcePolicy(
      new PolicyStatement({ principals: [BUDGETS], actions: KEY_ACTIONS, resources: ["*"] }),
    );
  }

  /** `enforceSSL` gives the topic a policy in place of SNS's default, which would allow the account's alarms. */
  #allowAlarms(): void {
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

  /** AWS's services can't publish under the account's default key for SNS, so the topic has its own. No data rests under it. */
  #addKey(name: string): Key {
    const key = new Key(this, "Key", {
      description: `${name}: alarms`,
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    key.addToResourcePolicy(
      new PolicyStatement({
        // Alarms, and the rules on the settings of evidence.
        principals: ["cloudwatch", "events"].map(
          (service) => new ServicePrincipal(`${service}.amazonaws.com`),
        ),
        actions: KEY_ACTIONS,
        resources: ["*"],
      }),
    );
    return key;
  }
}
