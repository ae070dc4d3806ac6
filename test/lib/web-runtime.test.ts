// The stack with `runtime: "web"`: two servers with roles of their own, reached through CloudFront alone.

import { describe, expect, test } from "vitest";
import { planVariables } from "../../contract/environment-variables.ts";
import { DEFAULT_PLANS } from "../../contract/plans.ts";
import { ORIGIN_SECRET_HEADER } from "../../contract/web-runtime.ts";
import { list, type Statement } from "./iam.ts";
import { type Resource, Synthesized, VARIANTS } from "./synthesis.ts";

const web = new Synthesized(VARIANTS.web);
const text = (value: unknown): string => JSON.stringify(value);

const revisionOf = (server: string): Resource =>
  web.one("AWS::Lambda::WebFunctionRevision", new RegExp(`Web${server}Function`));
const variablesOf = (server: string) => revisionOf(server).Properties.ServiceConfig.EnvironmentVariables;
const statementsOf = (server: string): Statement[] =>
  web.one("AWS::IAM::Policy", new RegExp(`Web${server}Role`)).Properties.PolicyDocument.Statement;
const actionsOf = (server: string): string[] => [
  ...new Set(statementsOf(server).flatMap(({ Action }) => list(Action))),
];
const WRITES = /Put|Update|Delete|Write/;

describe("the servers", () => {
  test("are two Web Functions on Node 24, whose names tell Regions apart", () => {
    const functions = web.all("AWS::Lambda::WebFunction");
    expect(functions).toHaveLength(2);
    for (const { Properties } of functions) expect(text(Properties.FunctionName)).toContain("AWS::Region");
    for (const { Properties } of web.all("AWS::Lambda::WebFunctionRevision"))
      expect(Properties.BuildConfig.RuntimeConfig.Runtime).toBe("nodejs24.x");
  });

  test("take as many requests a process, and as many processes, as is set", () => {
    const set = new Synthesized({
      runtime: "web",
      web: { concurrency: 100, maxEnvironments: 3, originSecret: 1 },
    });
    const [revisions, endpoints] = [
      set.all("AWS::Lambda::WebFunctionRevision"),
      set.all("AWS::Lambda::WebFunctionEndpoint"),
    ];
    expect([revisions.length, endpoints.length]).toEqual([2, 2]);
    for (const { Properties } of revisions) {
      expect(Properties.ServiceConfig.MaxConcurrencyPerEnvironment).toBe(100);
      expect(Properties.ServiceConfig.EnvironmentVariables.MAX_REQUESTS).toBe("100");
    }
    for (const { Properties } of endpoints) {
      expect(Properties.ScalingConfig).toEqual({ MaxEnvironments: 3 });
      expect(Properties).toMatchObject({ EndpointType: "HomeRegion", AuthType: "ApplicationManaged" });
    }
  });

  test("know that many requests share a process, and that nobody limits them before", () => {
    for (const server of ["attest", "read"]) {
      expect(variablesOf(server)).toMatchObject({ SHARED_PROCESS: "true", RATE_LIMIT: "true" });
      expect(planVariables.parse(variablesOf(server)).PLANS).toEqual(DEFAULT_PLANS);
      expect(Object.keys(variablesOf(server)).filter((name) => name.startsWith("AWS_"))).toEqual([]);
    }
    expect(variablesOf("attest")).toHaveProperty("TSA_URLS");
    expect(variablesOf("read")).toHaveProperty("ROOTS_BUCKET");
  });

  test("log to groups that keep their lines as long as is set", () => {
    const groups = web.all("AWS::Logs::LogGroup").filter(({ id }) => /Web(?:attest|read)/.test(id));
    expect(groups).toHaveLength(4);
    for (const { Properties } of groups) expect(Properties.RetentionInDays).toBe(90);
    const local = groups.filter(({ Properties }) => text(Properties.LogGroupName ?? "").includes(".local"));
    expect(local).toHaveLength(2);
  });
});

describe("their roles", () => {
  test("are not one: each server has its own", () => {
    const roles = ["attest", "read"].map(
      (server) => revisionOf(server).Properties.ServiceConfig.ExecutionRoleArn,
    );
    expect(text(roles[0])).not.toBe(text(roles[1]));
  });

  /** The note of the day on which a key was used, which every server with the authorizer may leave. */
  const isKeyUse = (condition: unknown): boolean =>
    text(condition).includes('"dynamodb:LeadingKeys":["used#*"]');

  test("let the reading server change nothing in table and bucket but the day of a key's use", () => {
    const ofData = actionsOf("read").filter((action) => /^(?:dynamodb|s3):/.test(action));
    expect(ofData).toContain("dynamodb:GetItem");
    expect(ofData.filter((action) => WRITES.test(action))).toEqual(["dynamodb:UpdateItem"]);
    const updates = statementsOf("read").filter(({ Action }) => list(Action).includes("dynamodb:UpdateItem"));
    expect(updates.map(({ Condition }) => isKeyUse(Condition))).toEqual([true]);
  });

  test("let the attesting server write in transactions alone, and see no bucket", () => {
    const writes = statementsOf("attest").filter(({ Action }) =>
      list(Action).some((action) => action.startsWith("dynamodb:") && WRITES.test(action)),
    );
    expect(writes.length).toBeGreaterThan(0);
    const ofReceipts = writes.filter(({ Condition }) => !isKeyUse(Condition));
    expect(ofReceipts.length).toBe(writes.length - 1);
    for (const { Condition } of ofReceipts) expect(text(Condition)).toContain("TransactWriteItems");
    expect(actionsOf("attest").filter((action) => action.startsWith("s3:"))).toEqual([]);
  });

  test("let both make codes, and let neither sign the log or read a secret", () => {
    for (const server of ["attest", "read"]) {
      expect(actionsOf(server)).toContain("kms:GenerateMac");
      expect(actionsOf(server).filter((action) => /kms:Sign|secretsmanager/.test(action))).toEqual([]);
    }
  });
});

describe("the origin secret", () => {
  const CURRENT = /\{\{resolve:secretsmanager:.*OriginSecret2\w+.*:SecretString:::\}\}/;
  const PREVIOUS = /\{\{resolve:secretsmanager:.*OriginSecret1\w+.*:SecretString:::\}\}/;

  test("is made up by Secrets Manager, and the template holds references alone", () => {
    const secrets = web.all("AWS::SecretsManager::Secret");
    expect(secrets).toHaveLength(2);
    for (const { Properties } of secrets) {
      expect(Properties.GenerateSecretString.PasswordLength).toBeGreaterThanOrEqual(64);
      expect(Properties).not.toHaveProperty("SecretString");
    }
  });

  test("is sent by CloudFront to both servers, which take it and the one before it", () => {
    const { Origins } = web.one("AWS::CloudFront::Distribution").Properties.DistributionConfig;
    const servers = Origins.filter(({ CustomOriginConfig }: Record<string, unknown>) => CustomOriginConfig);
    expect(servers).toHaveLength(2);
    for (const { OriginCustomHeaders, CustomOriginConfig } of servers) {
      expect(OriginCustomHeaders).toHaveLength(1);
      expect(OriginCustomHeaders[0].HeaderName).toBe(ORIGIN_SECRET_HEADER);
      expect(text(OriginCustomHeaders[0].HeaderValue)).toMatch(CURRENT);
      expect(CustomOriginConfig).toMatchObject({
        OriginProtocolPolicy: "https-only",
        OriginSSLProtocols: ["TLSv1.2"],
      });
    }
    for (const server of ["attest", "read"]) {
      expect(text(variablesOf(server).ORIGIN_SECRET)).toMatch(CURRENT);
      expect(text(variablesOf(server).PREVIOUS_ORIGIN_SECRET)).toMatch(PREVIOUS);
    }
  });

  test("has none before it in the first deployment", () => {
    const first = new Synthesized({ runtime: "web" });
    expect(first.all("AWS::SecretsManager::Secret")).toHaveLength(1);
    expect(text(first.all("AWS::Lambda::WebFunctionRevision"))).not.toContain("PREVIOUS_ORIGIN_SECRET");
  });
});

describe("CloudFront", () => {
  const config = web.one("AWS::CloudFront::Distribution").Properties.DistributionConfig;
  const hostOf = (originId: string): string =>
    text(config.Origins.find(({ Id }: { Id: string }) => Id === originId).DomainName);
  const behaviorOf = (path: string) =>
    config.CacheBehaviors.find(({ PathPattern }: { PathPattern: string }) => PathPattern === path);

  test("sends /v1/attestation itself to the attesting server, and all else of the API to the reading one", () => {
    expect(hostOf(behaviorOf("/v1/attestation").TargetOriginId)).toContain("Webattest");
    expect(hostOf(config.DefaultCacheBehavior.TargetOriginId)).toContain("Webread");
    expect(config.CacheBehaviors[0].PathPattern).toBe("/v1/attestation");
    const patterns = config.CacheBehaviors.map(({ PathPattern }: { PathPattern: string }) => PathPattern);
    expect(patterns.filter((pattern: string) => pattern.startsWith("/v1/attestation"))).toHaveLength(1);
  });

  test("handles the calls of both servers as it does API Gateway's", () => {
    const { TargetOriginId: _, PathPattern: __, ...attestation } = behaviorOf("/v1/attestation");
    const { TargetOriginId: ___, ...rest } = config.DefaultCacheBehavior;
    expect(attestation).toEqual(rest);
    expect(rest).toMatchObject({ ViewerProtocolPolicy: "https-only" });
  });

  test("lets the reading server answer for what is not in a bucket", () => {
    for (const { Members } of config.OriginGroups.Items) {
      expect(hostOf(Members.Items[1].OriginId)).toContain("Webread");
    }
  });
});

describe("what API Gateway would have", () => {
  test("is not there, and nothing names it", () => {
    expect(web.resources.filter(({ Type }) => Type.startsWith("AWS::ApiGateway"))).toEqual([]);
    expect(text(web.resources)).not.toContain("AWS/ApiGateway");
    expect(text(web.one("AWS::SSM::Parameter").Properties.Value)).toContain('\\"apiId\\":null');
  });

  test("the alarm on server errors watches each server in its place", () => {
    const alarms = web.all("AWS::CloudWatch::Alarm").filter(({ id }) => id.includes("servererrors"));
    expect(alarms).toHaveLength(2);
    for (const { Properties } of alarms) {
      expect(Properties).toMatchObject({
        Namespace: "AWS/Lambda/Web",
        MetricName: "HTTPResponseStatusClass5XX",
        TreatMissingData: "notBreaching",
      });
      expect(Properties.Dimensions).toContainEqual({ Name: "EndpointName", Value: "live" });
    }
  });

  test("the default runtime has none of the web runtime", () => {
    const functions = new Synthesized();
    expect(functions.resources.filter(({ Type }) => /WebFunction|SecretsManager/.test(Type))).toEqual([]);
    expect(functions.all("AWS::ApiGateway::RestApi")).toHaveLength(1);
  });
});
