// What runs by itself and what wakes somebody: the sealer's schedule, and the alarms.

import { App, Stack } from "aws-cdk-lib";
import { describe, expect, test } from "vitest";
import { deploymentParameter, deploymentSchema } from "../../contract/deployment.ts";
import { SEAL_RUN_SECONDS, SEALER_SECONDS } from "../../contract/limits.ts";
import { BRIDGE_METRICS, METRIC_NAMES, METRICS_NAMESPACE } from "../../contract/metric-names.ts";
import { DEFAULT_PLANS } from "../../contract/plans.ts";
import { ConversationBridge } from "../../lib/conversation-bridge.ts";
import { newEdgeAlarmStack } from "../../lib/edge-alarms.ts";
import { ALARM_SECTIONS } from "../../lib/parts/operator-alarm.ts";
import { fakeAssets, Synthesized, VARIANTS } from "./synthesis.ts";

const trial = new Synthesized(VARIANTS.firewall);
const production = new Synthesized(VARIANTS.production);
const queue = production.one("AWS::SQS::Queue", /Sealer/);
const QUEUE_ARN = { "Fn::GetAtt": [queue.id, "Arn"] };
const sealer = production.one("AWS::Lambda::Function", /Sealerseal/);

describe("the sealer", () => {
  test("runs at the interval that was asked for", () => {
    const rate = (stack: Synthesized) =>
      stack.one("AWS::Scheduler::Schedule", /Sealer/).Properties.ScheduleExpression;
    expect(rate(production)).toBe("rate(1 minute)");
    expect(rate(trial)).toBe("rate(5 minutes)");
  });

  test("runs one at a time, for minutes where very many chains have news, and no call behind it is given up", () => {
    expect(sealer.Properties).toMatchObject({
      ReservedConcurrentExecutions: 1,
      Timeout: SEALER_SECONDS,
      MemorySize: 1_024,
    });
    const { MaximumEventAgeInSeconds } = production.one(
      "AWS::Lambda::EventInvokeConfig",
      /Sealer/,
    ).Properties;
    expect(MaximumEventAgeInSeconds).toBeGreaterThan(10 * SEALER_SECONDS);
  });

  test("ends in a trial before its shortest interval does, as calls may overlap there", () => {
    const { Timeout } = trial.one("AWS::Lambda::Function", /Sealerseal/).Properties;
    expect(Timeout).toBe(SEAL_RUN_SECONDS);
  });

  test("is repeated when it fails, and then leaves a dead letter, whoever failed to run it", () => {
    expect(sealer.Properties.DeadLetterConfig.TargetArn).toEqual(QUEUE_ARN);
    expect(production.one("AWS::Lambda::EventInvokeConfig", /Sealer/).Properties.MaximumRetryAttempts).toBe(
      2,
    );
    expect(production.one("AWS::Scheduler::Schedule", /Sealer/).Properties.Target).toMatchObject({
      DeadLetterConfig: { Arn: QUEUE_ARN },
      RetryPolicy: { MaximumRetryAttempts: 2 },
    });
  });

  test("is all that the schedule may invoke", () => {
    const role = production.one("AWS::IAM::Policy", /SealerSchedulerRole/).Properties.PolicyDocument
      .Statement;
    expect(role.map(({ Action }: { Action: string }) => Action)).toEqual([
      "lambda:InvokeFunction",
      "sqs:SendMessage",
    ]);
    expect(JSON.stringify(role[0].Resource).match(/Attestation\w+/g)).toEqual([sealer.id, sealer.id]);
  });
});

test("no schedule runs before its role may invoke the function: the failure would be a dead letter", () => {
  const schedules = production.all("AWS::Scheduler::Schedule");
  expect(schedules).toHaveLength(3);
  for (const { id, DependsOn, Properties } of schedules) {
    const role = Properties.Target.RoleArn["Fn::GetAtt"][0];
    const policies = production
      .all("AWS::IAM::Policy")
      .filter((policy) => policy.Properties.Roles.some(({ Ref }: { Ref: string }) => Ref === role));
    expect([id, policies.map((policy) => DependsOn?.includes(policy.id))]).toEqual([id, [true]]);
  }
});

test("the deliverer of webhooks runs every minute, and a run that fails is not repeated", () => {
  const schedule = production.one("AWS::Scheduler::Schedule", /Webhooks/).Properties;
  expect(schedule.ScheduleExpression).toBe("rate(1 minute)");
  expect(schedule.Target.RetryPolicy.MaximumRetryAttempts).toBe(0);
  const config = production.one("AWS::Lambda::EventInvokeConfig", /Webhooks/).Properties;
  expect(config.MaximumRetryAttempts).toBe(0);
});

test("whatever the functions count is on the dashboard, or raises an alarm", () => {
  const shown = JSON.stringify([
    production.one("AWS::CloudWatch::Dashboard").Properties.DashboardBody,
    production.all("AWS::CloudWatch::Alarm").map(({ Properties }) => Properties.MetricName),
  ]);
  const unseen = Object.entries(METRIC_NAMES)
    .filter(([metric]) => !BRIDGE_METRICS.some((ofBridge) => ofBridge === metric))
    .filter(([, name]) => !new RegExp(`"${name}\\\\*"`).test(shown));
  expect(unseen).toEqual([]);
});

test("the dashboard shows what each plan's tenants record, and no tenant", () => {
  const text = JSON.stringify(production.one("AWS::CloudWatch::Dashboard").Properties.DashboardBody);
  for (const plan of Object.keys(DEFAULT_PLANS)) {
    const dimensions = ["plan", plan, "service", "disclosure-receipts"];
    const metric = [METRICS_NAMESPACE, METRIC_NAMES.attestations, ...dimensions].join('","');
    expect(text.replaceAll("\\", "")).toContain(metric);
  }
  expect(text).not.toMatch(/tenant/i);
});

describe("the alarms", () => {
  const alarms = production.all("AWS::CloudWatch::Alarm").map(({ Properties }) => Properties);

  const rules = production.all("AWS::Events::Rule").map(({ Properties }) => Properties);
  const edgeSettings = { ...VARIANTS.production, edgeAlarms: "E2QWRUHEXAMPLE" };
  const edgeStack = newEdgeAlarmStack(new App(), edgeSettings) ?? undefined;
  const edge = new Synthesized(edgeSettings, edgeStack);
  const bridgeStack = new Stack(new App(), "bridge");
  const serviceUrl = "https://receipts.example";
  new ConversationBridge(bridgeStack, "Bridge", {
    jurisdiction: "DE",
    serviceUrl,
    assetsFolder: fakeAssets(),
  });
  const bridge = new Synthesized({}, bridgeStack);

  test("each name their section of the runbook, and every section has an alarm", () => {
    const texts = [
      ...alarms.map(({ AlarmDescription }) => AlarmDescription),
      ...rules.map(({ Description }) => Description),
      edge.one("AWS::CloudWatch::Alarm").Properties.AlarmDescription,
      bridge.one("AWS::CloudWatch::Alarm").Properties.AlarmDescription,
    ];
    const sections = texts.map((text) => text.match(/docs\/operations\.md#([a-z-]+)$/)?.[1]);
    expect(new Set(sections)).toEqual(new Set(ALARM_SECTIONS));
  });

  test("of lost races looks at how many a receipt lost on average, whatever the traffic", () => {
    const { MetricName, Statistic } = production.one("AWS::CloudWatch::Alarm", /lostraces/).Properties;
    expect([MetricName, Statistic]).toEqual(["LostRaces", "Average"]);
  });

  test("of slow answers looks at the slowest of a hundred calls", () => {
    expect(production.one("AWS::CloudWatch::Alarm", /slowanswers/).Properties).toMatchObject({
      ExtendedStatistic: "p99",
      EvaluateLowSampleCountPercentile: "ignore",
      Dimensions: [{ Name: "FunctionName", Value: { Ref: expect.stringMatching(/attest/) } }],
    });
  });

  test("on CloudFront are a stack of their own in us-east-1, where its metrics are", () => {
    const { Namespace, Dimensions } = edge.one("AWS::CloudWatch::Alarm").Properties;
    expect([edgeStack?.region, Namespace]).toEqual(["us-east-1", "AWS/CloudFront"]);
    expect(Dimensions).toContainEqual({ Name: "DistributionId", Value: "E2QWRUHEXAMPLE" });
    expect(newEdgeAlarmStack(new App(), {})).toBeNull();
  });

  test("all tell the topic, and the topic the operator", () => {
    const topic = production.one("AWS::SNS::Topic");
    for (const { AlarmActions, OKActions } of alarms) {
      expect([AlarmActions, OKActions]).toEqual([[{ Ref: topic.id }], [{ Ref: topic.id }]]);
    }
    expect(production.one("AWS::SNS::Subscription").Properties).toMatchObject({
      Protocol: "email",
      Endpoint: "night@operator.example",
      TopicArn: { Ref: topic.id },
    });
  });

  test("CloudWatch may publish to the topic, whose own policy takes the place of the one that would let it", () => {
    const allowed = production
      .one("AWS::SNS::TopicPolicy")
      .Properties.PolicyDocument.Statement.filter(({ Effect }: { Effect: string }) => Effect === "Allow");
    const topic = { Ref: production.one("AWS::SNS::Topic").id };
    const services = ["cloudwatch", "events", "budgets"];
    expect(allowed).toEqual(
      services.map((service) =>
        expect.objectContaining({
          Principal: { Service: `${service}.amazonaws.com` },
          Action: "sns:Publish",
          Resource: topic,
        }),
      ),
    );
    expect(JSON.stringify(allowed[0].Condition.ArnLike["aws:SourceArn"])).toMatch(
      /:cloudwatch:.*AWS::Region.*AWS::AccountId.*:alarm:\*"/,
    );
  });

  test("who may publish may use the topic's key: else an alarm would be silent", () => {
    const key = production.one("AWS::KMS::Key", /AlarmTopic/).Properties;
    expect(key.EnableKeyRotation).toBe(true);
    expect(key.KeyPolicy.Statement).toContainEqual(
      expect.objectContaining({
        Effect: "Allow",
        Principal: {
          Service: ["budgets.amazonaws.com", "cloudwatch.amazonaws.com", "events.amazonaws.com"],
        },
        Action: ["kms:Decrypt", "kms:GenerateDataKey"],
      }),
    );
  });

  test("tell the topic of every call that changes what protects evidence, and of this deployment's only", () => {
    const topic = { Ref: production.one("AWS::SNS::Topic").id };
    expect(rules.map(({ Targets }) => Targets)).toEqual(
      rules.map(() => [expect.objectContaining({ Arn: topic })]),
    );
    const watched = (call: string) =>
      rules.map(({ EventPattern }) => EventPattern.detail).find(({ eventName }) => eventName.includes(call));
    for (const call of ["DisableKey", "ScheduleKeyDeletion", "PutKeyPolicy", "CreateGrant", "ReplicateKey"])
      expect([call, watched(call)?.requestParameters.keyId.length]).toEqual([call, 4]);
    for (const call of ["UpdateContinuousBackups", "DeleteTable"])
      expect(watched(call)?.requestParameters.tableName[0]).toEqual({
        Ref: expect.stringMatching(/LedgerTable/),
      });
    expect(watched("PutResourcePolicy")?.requestParameters.resourceArn).toEqual([
      { "Fn::GetAtt": [expect.stringMatching(/LedgerTable/), "Arn"] },
    ]);
    for (const call of ["PutBucketPolicy", "DeleteBucketPolicy", "DeleteBucketPublicAccessBlock"])
      expect(JSON.stringify(watched(call)?.requestParameters.bucketName)).toMatch(/Roots.*Bills/);
    for (const call of ["StopLogging", "PutEventSelectors"]) expect(watched(call)).toBeDefined();
  });

  test("our own metrics are those that the functions emit, under this deployment's name", () => {
    const own = alarms.filter(({ Namespace }) => Namespace === METRICS_NAMESPACE);
    expect(own.length).toBeGreaterThan(3);
    for (const { MetricName, Dimensions } of own) {
      expect(Object.values(METRIC_NAMES)).toContain(MetricName);
      expect(Dimensions).toEqual([{ Name: "service", Value: "disclosure-receipts" }]);
    }
    expect(sealer.Properties.Environment.Variables).toMatchObject({
      POWERTOOLS_METRICS_NAMESPACE: METRICS_NAMESPACE,
      POWERTOOLS_SERVICE_NAME: "disclosure-receipts",
    });
  });

  test("a sealer that says nothing is late; all other silence is peace", () => {
    const missing = Object.fromEntries(
      alarms.map(({ AlarmName, TreatMissingData }) => [AlarmName, TreatMissingData]),
    );
    const {
      "disclosure-receipts-seal-lag": sealLag,
      "disclosure-receipts-missed-quorum": missedQuorum,
      ...others
    } = missing;
    expect(sealLag).toBe("breaching");
    // Without news no witness is asked, and the newest checkpoint is as it was.
    expect(missedQuorum).toBe("ignore");
    expect(new Set(Object.values(others))).toEqual(new Set(["notBreaching"]));
  });

  test("of witnesses are there only where witnesses are asked", () => {
    const names = trial.all("AWS::CloudWatch::Alarm").map(({ Properties }) => Properties.AlarmName);
    expect(names).toContain("disclosure-receipts-checkpoint-age");
    expect(names.filter((name) => /missed-quorum|larger-tree/.test(name))).toEqual([]);
  });

  test("the lag is looked at less often than a slow sealer runs", () => {
    const hourly = new Synthesized({ cloudFront: false, sealIntervalMinutes: 60 });
    expect(hourly.one("AWS::CloudWatch::Alarm", /seallag/).Properties.Period).toBeGreaterThanOrEqual(
      2 * 60 * 60,
    );
  });
});

test("the parameter of the deployment may outgrow 4 KB, and shrink again: SSM makes no advanced one a standard one", () => {
  for (const stack of [trial, production])
    expect(stack.one("AWS::SSM::Parameter").Properties.Tier).toBe("Intelligent-Tiering");
});

test("the operator's command line finds what it must know, and no secret, under the deployment's name", () => {
  const { Name, Value } = production.one("AWS::SSM::Parameter").Properties;
  expect(Name).toBe("/disclosure-receipts/disclosure-receipts");
  const [, parts] = Value["Fn::Join"];
  const value = JSON.parse(
    parts.map((part: unknown) => (typeof part === "string" ? part : "reference")).join(""),
  );
  expect(value).toEqual({
    name: "disclosure-receipts",
    tableName: "reference",
    rootsBucket: "reference",
    billsBucket: "reference",
    macKeyId: "reference",
    retiredMacKeyIds: [],
    apiId: "reference",
    plans: {
      trial: { ...DEFAULT_PLANS.trial, usagePlanId: "reference" },
      standard: { ...DEFAULT_PLANS.standard, usagePlanId: "reference" },
      volume: { ...DEFAULT_PLANS.volume, usagePlanId: "reference" },
    },
    sealIntervalMinutes: 1,
    url: "https://receipts.operator.example",
    knownAuthorities: true,
    witnessPolicy: expect.stringMatching(/^witness harbor \S+ https:\/\/harbor\.example\nquorum harbor\n$/),
  });
  // The command line reads it by the same name, and takes it.
  expect(deploymentParameter("disclosure-receipts")).toBe(Name);
  expect(deploymentSchema.parse(value)).toEqual(value);
});
