// How new code that attests comes into use: gradually, and back again if calls fail.
import { expect, test } from "vitest";
import { type Resource, Synthesized, VARIANTS } from "./synthesis.ts";

const production = new Synthesized(VARIANTS.production);
const alias = production.one("AWS::Lambda::Alias");
const group = production.one("AWS::CodeDeploy::DeploymentGroup");

const attestUri = (stack: Synthesized): string => {
  const isAttest = ({ Properties }: Resource) =>
    Properties.HttpMethod === "POST" && Properties.ApiKeyRequired === true;
  const method = stack.all("AWS::ApiGateway::Method").find(isAttest) ?? expect.fail("no method attests");
  return JSON.stringify(method.Properties.Integration.Uri);
};

test("in production the API calls a version of attest, by an alias that it may invoke", () => {
  expect(attestUri(production)).toContain(`"Ref":"${alias.id}"`);
  const version = production.one("AWS::Lambda::Version");
  const { id } = production.one("AWS::Lambda::Function", /Handlersattest/);
  expect(version.Properties.FunctionName).toEqual({ Ref: id });
  expect(alias.Properties.FunctionVersion).toEqual({ "Fn::GetAtt": [version.id, "Version"] });
  const invoked = production.all("AWS::Lambda::Permission").map(({ Properties }) => Properties.FunctionName);
  expect(invoked).toContainEqual({ Ref: alias.id });
});

test("CodeDeploy moves the alias, for one call in ten first, and back where calls fail", () => {
  const { UpdatePolicy } = alias;
  expect(UpdatePolicy?.CodeDeployLambdaAliasUpdate.DeploymentGroupName).toEqual({ Ref: group.id });
  const alarm = production.one("AWS::CloudWatch::Alarm", /Rollout/);
  expect(group.Properties).toMatchObject({
    DeploymentConfigName: "CodeDeployDefault.LambdaCanary10Percent5Minutes",
    AlarmConfiguration: { Enabled: true, Alarms: [{ Name: { Ref: alarm.id } }] },
    AutoRollbackConfiguration: {
      Enabled: true,
      Events: expect.arrayContaining(["DEPLOYMENT_FAILURE", "DEPLOYMENT_STOP_ON_ALARM"]),
    },
  });
  const { Namespace, MetricName, Dimensions } = alarm.Properties;
  expect([Namespace, MetricName]).toEqual(["AWS/ApiGateway", "5XXError"]);
  const { Name } = production.one("AWS::ApiGateway::RestApi").Properties;
  const { StageName, MethodSettings } = production.one("AWS::ApiGateway::Stage").Properties;
  // A stranger's flood of a method without a key must not take a deployment back.
  const dimensions = { ApiName: Name, Stage: StageName, Method: "POST", Resource: "/v1/attestation" };
  expect(Dimensions.map(({ Name, Value }: Record<string, string>) => [Name, Value]).toSorted()).toEqual(
    Object.entries(dimensions).toSorted(),
  );
  // API Gateway has metrics of a method where they are asked for, and for money.
  const isMeasured = ({ MetricsEnabled }: Record<string, unknown>) => MetricsEnabled === true;
  expect(MethodSettings.filter(isMeasured)).toMatchObject([
    { HttpMethod: "POST", ResourcePath: "/~1v1~1attestation" },
  ]);
});

test.each([
  ["a trial", {}],
  ["a production that asks for it", { ...VARIANTS.production, rollout: "at-once" as const }],
])("%s has its new code at once, in the function itself", (_, settings) => {
  const stack = new Synthesized(settings);
  expect(stack.resources.filter(({ Type }) => /CodeDeploy|Lambda::Alias/.test(Type))).toEqual([]);
  expect(attestUri(stack)).toContain("Handlersattest");
  expect(JSON.stringify(stack.one("AWS::ApiGateway::Stage"))).not.toContain("MetricsEnabled");
});
