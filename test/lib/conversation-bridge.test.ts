// The construct of the bridge: what is deployed, who may read the secret, and which settings are refused.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { App, Stack, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { describe, expect, test, vi } from "vitest";
import { bridgeSecretSchema } from "../../contract/bridge-settings.ts";
import { METRIC_NAMES, METRICS_NAMESPACE } from "../../contract/metric-names.ts";
import { AttestationService } from "../../lib/attestation-service.ts";
import { ConversationBridge, type ConversationBridgeProps } from "../../lib/conversation-bridge.ts";
import { fakeAssets, Synthesized, temporaryFolder } from "./synthesis.ts";

const QUICK = { "aws:cdk:bundling-stacks": [], "aws:cdk:disable-stack-trace": true };
const ACTION = "secretsmanager:GetSecretValue";
const SETTINGS = { jurisdiction: "DE", operator: "Stadtwerke", serviceUrl: "https://receipts.example" };

function build(props: Partial<ConversationBridgeProps> = {}) {
  const app = new App({ context: QUICK, outdir: temporaryFolder() });
  const stack = new Stack(app, "own-app");
  const bridge = new ConversationBridge(stack, "Bridge", {
    ...SETTINGS,
    assetsFolder: fakeAssets(),
    ...props,
  });
  return { app, stack, bridge };
}

describe("the bridge's stack", () => {
  const { stack, bridge } = build();
  const synthesized = new Synthesized({}, stack);
  const lambda = synthesized.one("AWS::Lambda::Function");
  const secret = synthesized.one("AWS::SecretsManager::Secret");

  test("is one function with an address that platforms can call, and one secret", () => {
    expect(synthesized.one("AWS::Lambda::Url").Properties.AuthType).toBe("NONE");
    const permitted = synthesized.all("AWS::Lambda::Permission").map(({ Properties }) => Properties);
    expect(permitted.map(({ Action, Principal }) => [Action, Principal])).toEqual([
      ["lambda:InvokeFunctionUrl", "*"],
      ["lambda:InvokeFunction", "*"],
    ]);
    // Without this, anybody with credentials of AWS could call the function past its address.
    expect(permitted[1]).toMatchObject({ InvokedViaFunctionUrl: true });
    expect(stack.resolve(bridge.urls.retell)).toEqual({
      "Fn::Join": ["", [{ "Fn::GetAtt": [expect.any(String), "FunctionUrl"] }, "bridge/retell"]],
    });
  });

  test("has a secret that is read as one of no platform until the operator puts in the real ones", () => {
    const { SecretStringTemplate, GenerateStringKey } = secret.Properties.GenerateSecretString;
    const made = { ...JSON.parse(SecretStringTemplate), [GenerateStringKey]: "x".repeat(32) };
    expect(bridgeSecretSchema.parse(made)).toMatchObject({ vapi: [], retell: [], elevenlabs: [] });
  });

  test("lets the function read the secret, and nobody else", () => {
    const [role] = lambda.Properties.Role["Fn::GetAtt"];
    const statements = synthesized
      .all("AWS::IAM::Policy")
      .filter(({ Properties }) => Properties.Roles.some(({ Ref }: { Ref: string }) => Ref === role))
      .flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
    expect(statements).toHaveLength(2);
    expect(statements).toContainEqual({ Action: ACTION, Effect: "Allow", Resource: { Ref: secret.id } });
    const { ResourcePolicy } = synthesized.one("AWS::SecretsManager::ResourcePolicy").Properties;
    expect(ResourcePolicy.Statement).toEqual([
      {
        Action: ACTION,
        Effect: "Deny",
        Principal: { AWS: "*" },
        Resource: "*",
        Condition: { ArnNotEquals: { "aws:PrincipalArn": { "Fn::GetAtt": [role, "Arn"] } } },
      },
    ]);
  });

  test("tells a topic of its own where a call was over without a disclosure", () => {
    const topic = { Ref: synthesized.one("AWS::SNS::Topic").id };
    expect(stack.resolve(bridge.alarmTopic.topicArn)).toEqual(topic);
    expect(synthesized.one("AWS::CloudWatch::Alarm").Properties).toMatchObject({
      AlarmName: "conversation-bridge-missed-disclosure",
      AlarmDescription: expect.stringContaining("docs/operations.md#missed-disclosure"),
      Namespace: METRICS_NAMESPACE,
      MetricName: METRIC_NAMES.missedDisclosures,
      Dimensions: [
        { Name: "service", Value: lambda.Properties.Environment.Variables.POWERTOOLS_SERVICE_NAME },
      ],
      Statistic: "Sum",
      Threshold: 1,
      AlarmActions: [topic],
      OKActions: [topic],
      TreatMissingData: "notBreaching",
    });
    const told = new Synthesized({}, build({ alarmEmail: "night@example.com" }).stack);
    expect(told.one("AWS::SNS::Subscription").Properties).toMatchObject({
      Protocol: "email",
      Endpoint: "night@example.com",
    });
  });

  test("has no secret in the function's environment, and reads it through AWS's extension", () => {
    const { Environment, Layers } = lambda.Properties;
    expect(Environment.Variables).toMatchObject({
      BRIDGE_FILE: "bridge.json",
      BRIDGE_SECRET: { Ref: secret.id },
      SERVICE_URL: SETTINGS.serviceUrl,
    });
    expect(Layers).toHaveLength(1);
    expect(JSON.stringify(synthesized.resources)).not.toContain("resolve:secretsmanager");
  });
});

test("the bridge of a service in the same app takes its address", () => {
  const app = new App({ context: QUICK, outdir: temporaryFolder() });
  const stack = new Stack(app, "both");
  const assetsFolder = fakeAssets();
  const { url } = new AttestationService(stack, "Attestation", { assetsFolder });
  new ConversationBridge(stack, "Bridge", { ...SETTINGS, serviceUrl: url, assetsFolder });
  const { Environment } = new Synthesized({}, stack).one("AWS::Lambda::Function", /^Bridge/).Properties;
  expect(Environment.Variables.SERVICE_URL).not.toBe(SETTINGS.serviceUrl);
});

test("no rule of AWS's is broken without a reason", () => {
  const { app } = build({ reservedConcurrency: 5, tracing: true });
  vi.stubEnv("CDK_VALIDATION", "true");
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const report = JSON.parse(readFileSync(join(app.synth().directory, "validation-report.json"), "utf8"));
  expect(report.pluginReports.flatMap(({ violations }: { violations: unknown[] }) => violations)).toEqual([]);
});

test.each([
  [
    "a jurisdiction that is none",
    { jurisdiction: "Germany" },
    "jurisdiction: must be two upper-case letters",
  ],
  ["a jurisdiction without texts", { jurisdiction: "AT" }, "no text is known for AT"],
  ["a misspelt setting", { operater: "x" }, '"operater" is no setting'],
  ["an address with /v1", { serviceUrl: "https://receipts.example/v1" }, "serviceUrl: must be the address"],
  ["an address without TLS", { serviceUrl: "http://receipts.example" }, "serviceUrl: must be the address"],
])("%s is refused at synthesis", (_, props, message) => {
  expect(() => build(props as Partial<ConversationBridgeProps>)).toThrow(message);
});
