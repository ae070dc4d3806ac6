// What one deployment costs: the tag by which AWS's bill finds it, and the budget that watches it.
import { App } from "aws-cdk-lib";
import { describe, expect, test } from "vitest";
import { newEdgeAlarmStack } from "../../lib/edge-alarms.ts";
import { buildOwnApp, Synthesized, VARIANTS } from "./synthesis.ts";

const TAG = { Key: "disclosure-receipts", Value: "acme" };
const settings = { name: "acme", monthlyBudget: 200 };
const own = new Synthesized(settings, buildOwnApp(settings));

interface Statement {
  readonly Effect: string;
  readonly Principal: { readonly Service?: string };
}
const ofBudgets = (statements: readonly Statement[]): Statement[] =>
  statements.filter(({ Principal }) => Principal.Service === "budgets.amazonaws.com");

describe("the cost tag", () => {
  test("is on all that costs, in an app of somebody else's too", () => {
    const types = [
      "AWS::Lambda::Function",
      "AWS::DynamoDB::GlobalTable",
      "AWS::DynamoDB::Table",
      "AWS::S3::Bucket",
      "AWS::KMS::Key",
      "AWS::Logs::LogGroup",
      "AWS::CloudWatch::Alarm",
      "AWS::CloudFront::Distribution",
      "AWS::ApiGateway::Stage",
      "AWS::SQS::Queue",
    ];
    const tagged = own.resources.filter(
      ({ Type, id }) => types.includes(Type) && id.startsWith("Attestation"),
    );
    expect(new Set(tagged.map(({ Type }) => Type)).size).toBeGreaterThanOrEqual(types.length - 1);
    const lacking = tagged.filter(
      ({ Properties }) => !JSON.stringify(Properties).includes(JSON.stringify(TAG)),
    );
    expect(lacking.map(({ id }) => id)).toEqual([]);
  });

  test("is on the second stack with the alarm on CloudFront", () => {
    const edgeSettings = { name: "acme", edgeAlarms: "E2QWRUHEXAMPLE" };
    const edge = new Synthesized(edgeSettings, newEdgeAlarmStack(new App(), edgeSettings) ?? undefined);
    expect(edge.one("AWS::SNS::Topic").Properties.Tags).toContainEqual(TAG);
  });
});

describe("the budget of a month", () => {
  test("counts this deployment in dollars, and tells the alarm topic of its forecast and of its end", () => {
    const { Budget, NotificationsWithSubscribers } = own.one("AWS::Budgets::Budget").Properties;
    expect(Budget).toMatchObject({
      BudgetType: "COST",
      TimeUnit: "MONTHLY",
      BudgetLimit: { Amount: 200, Unit: "USD" },
      CostFilters: { TagKeyValue: ["user:disclosure-receipts$acme"] },
    });
    const notices = NotificationsWithSubscribers.map(
      ({ Notification }: { Notification: object }) => Notification,
    );
    const percent = { ComparisonOperator: "GREATER_THAN", ThresholdType: "PERCENTAGE" };
    expect(notices).toEqual([
      { ...percent, NotificationType: "FORECASTED", Threshold: 80 },
      { ...percent, NotificationType: "ACTUAL", Threshold: 100 },
    ]);
    const topic = { SubscriptionType: "SNS", Address: { Ref: own.one("AWS::SNS::Topic").id } };
    for (const { Subscribers } of NotificationsWithSubscribers) expect(Subscribers).toEqual([topic]);
  });

  test("may publish to the topic and use its key, for budgets of this account alone, before it is made", () => {
    const policy = own.one("AWS::SNS::TopicPolicy");
    const [publish] = ofBudgets(policy.Properties.PolicyDocument.Statement);
    expect(publish).toMatchObject({
      Effect: "Allow",
      Action: "sns:Publish",
      Condition: { StringEquals: { "aws:SourceAccount": { Ref: "AWS::AccountId" } } },
    });
    expect(JSON.stringify(publish)).toMatch(/:budgets::",\{"Ref":"AWS::AccountId"\},":\*"/);
    const key = own.one("AWS::KMS::Key", /AlarmTopic/);
    expect(ofBudgets(key.Properties.KeyPolicy.Statement)).toMatchObject([
      { Effect: "Allow", Action: ["kms:Decrypt", "kms:GenerateDataKey"] },
    ]);
    expect(own.one("AWS::Budgets::Budget").DependsOn).toContain(policy.id);
  });

  test("is not there unless it is asked for, and then nothing else may publish", () => {
    const trial = new Synthesized(VARIANTS.trial);
    expect(trial.all("AWS::Budgets::Budget")).toEqual([]);
    expect(JSON.stringify(trial.resources)).not.toContain("budgets.amazonaws.com");
  });
});
