// The API: its routes, who is let through, what it answers by itself, and what it writes down.
import { describe, expect, test } from "vitest";
import {
  authorityVariables,
  inlineStampVariables,
  ledgerVariables,
  macVariables,
  rootsVariables,
  sealVariables,
  trustAnchorVariables,
} from "../../contract/environment-variables.ts";
import { problemDetailsSchema } from "../../contract/problem-details.ts";
import { PROBLEMS } from "../../contract/problem-kinds.ts";
import { AUTHORIZER_TTL_SECONDS, FALLBACK_HANDLER, ROUTES } from "../../contract/routes.ts";
import { type Resource, Synthesized, VARIANTS } from "./synthesis.ts";

const stack = new Synthesized();
const firewall = new Synthesized(VARIANTS.firewall);
const bare = new Synthesized(VARIANTS["no CloudFront"]);

const resourcesById = new Map(
  stack.all("AWS::ApiGateway::Resource").map((resource) => [resource.id, resource]),
);

function pathOf(reference: { Ref?: string }): string {
  const resource = resourcesById.get(reference.Ref ?? "");
  if (resource === undefined) return "";
  const { ParentId, PathPart } = resource.Properties;
  return `${pathOf(ParentId)}/${PathPart}`;
}

const handlerOf = ({ Properties }: Resource): string =>
  JSON.stringify(Properties.Integration.Uri).match(/Handlers([a-z]+)Function/)?.[1] ?? "";
const methods = new Map(
  stack
    .all("AWS::ApiGateway::Method")
    .map((method) => [`${method.Properties.HttpMethod} ${pathOf(method.Properties.ResourceId)}`, method]),
);

describe("the routes", () => {
  test.each(ROUTES.map(({ method, path, handler, access }) => [method, path, handler, access] as const))(
    "%s %s goes to %s, %s",
    (verb, path, handler, access) => {
      const method = methods.get(`${verb} ${path}`);
      expect(method && handlerOf(method)).toBe(handler.replaceAll("-", ""));
      expect(method?.Properties).toMatchObject(
        access === "key"
          ? { AuthorizationType: "CUSTOM", ApiKeyRequired: true }
          : { AuthorizationType: "NONE" },
      );
    },
  );

  test("every other method of every path, and every other path, goes to the fallback", () => {
    const paths = ["", ...[...resourcesById.keys()].map((Ref) => pathOf({ Ref }))];
    expect(paths).toContain("/{proxy+}");
    const fallbacks = paths
      .map((path) => methods.get(`ANY ${path}`))
      .map((method) => method && handlerOf(method));
    expect(fallbacks).toEqual(paths.map(() => FALLBACK_HANDLER.replace("-", "")));
  });

  test("what anyone may call has a throttle of its own", () => {
    const { MethodSettings } = stack.one("AWS::ApiGateway::Stage").Properties;
    const throttled = MethodSettings.filter(
      ({ ThrottlingRateLimit }: { ThrottlingRateLimit: number }) => ThrottlingRateLimit > 0,
    );
    const names = throttled.map(
      ({ HttpMethod, ResourcePath }: Record<string, string>) =>
        `${HttpMethod} ${ResourcePath?.slice(1).replaceAll("~1", "/")}`,
    );
    const open = ROUTES.filter(({ access }) => access === "public").map(
      ({ method, path }) => `${method} ${path}`,
    );
    expect(names.sort()).toEqual(open.sort());
  });
});

describe("the authorizer", () => {
  const { Properties } = stack.one("AWS::ApiGateway::Authorizer");

  test("is asked for requests with the header, and forgotten in time for a revoked key to die", () => {
    expect(Properties).toMatchObject({
      Type: "REQUEST",
      IdentitySource: "method.request.header.Authorization",
      AuthorizerResultTtlInSeconds: AUTHORIZER_TTL_SECONDS,
    });
  });

  test("names the key that throttle and quota count for", () => {
    expect(stack.one("AWS::ApiGateway::RestApi").Properties.ApiKeySourceType).toBe("AUTHORIZER");
  });
});

describe("the usage plans", () => {
  test("are those of the configuration, each with rate, burst and monthly quota, for the one stage", () => {
    const plans = { gold: { rate: 7, burst: 9, monthlyQuota: 1_000, chains: 1 } };
    const [plan, ...others] = new Synthesized({ plans, cloudFront: false }).all("AWS::ApiGateway::UsagePlan");
    expect(others).toEqual([]);
    expect(plan?.Properties).toMatchObject({
      UsagePlanName: "disclosure-receipts-gold",
      Throttle: { RateLimit: 7, BurstLimit: 9 },
      Quota: { Limit: 1_000, Period: "MONTH" },
      ApiStages: [{ ApiId: { Ref: expect.any(String) }, Stage: { Ref: expect.any(String) } }],
    });
  });
});

describe("what the gateway answers by itself", () => {
  const responses = stack.all("AWS::ApiGateway::GatewayResponse").map(({ Properties }) => Properties);
  const responseOf = (type: string) =>
    responses.find(({ ResponseType }) => ResponseType === type) ?? expect.fail(`no response for ${type}`);

  test.each([
    ["UNAUTHORIZED", PROBLEMS.unauthorized],
    ["ACCESS_DENIED", PROBLEMS.forbidden],
    ["INVALID_API_KEY", PROBLEMS.forbidden],
    ["MISSING_AUTHENTICATION_TOKEN", PROBLEMS.notFound],
    ["REQUEST_TOO_LARGE", PROBLEMS.payloadTooLarge],
    ["THROTTLED", PROBLEMS.tooManyRequests],
    ["QUOTA_EXCEEDED", PROBLEMS.tooManyRequests],
    ["AUTHORIZER_FAILURE", PROBLEMS.unavailable],
    ["INTEGRATION_TIMEOUT", PROBLEMS.unavailable],
    ["DEFAULT_4XX", PROBLEMS.badRequest],
    ["DEFAULT_5XX", PROBLEMS.unavailable],
  ])("%s is the same problem that a handler would give", (type, { slug, status, title }) => {
    const { StatusCode, ResponseTemplates, ResponseParameters } = responseOf(type);
    const details = problemDetailsSchema.parse(JSON.parse(ResponseTemplates["application/json"]));
    expect(StatusCode).toBe(String(status));
    expect(details).toMatchObject({
      type: `/v1/problems#${slug}`,
      title,
      status,
      instance: "$context.requestId",
    });
    expect(ResponseParameters).toMatchObject({
      "gatewayresponse.header.content-type": "'application/problem+json'",
      "gatewayresponse.header.cache-control": "'no-store'",
    });
  });

  test("a refusal gives the authorizer's reason", () => {
    const template = responseOf("ACCESS_DENIED").ResponseTemplates["application/json"];
    expect(JSON.parse(template).detail).toBe("$context.authorizer.reason");
  });

  test.each(["THROTTLED", "QUOTA_EXCEEDED", "DEFAULT_5XX", "INTEGRATION_FAILURE"])(
    "%s says when to ask again",
    (type) => {
      expect(responseOf(type).ResponseParameters["gatewayresponse.header.retry-after"]).toMatch(/^'\d+'$/);
    },
  );

  test("nothing tells of the inside", () => {
    const texts = [...responses.values()]
      .map(({ ResponseTemplates }) => JSON.stringify(ResponseTemplates))
      .join();
    expect(texts).not.toMatch(/context\.(?:error|integration|identity|path)|stageVariables/);
  });
});

describe("the access log", () => {
  const { AccessLogSetting } = stack.one("AWS::ApiGateway::Stage").Properties;

  test("has the route, the status and the key's id", () => {
    expect(Object.values(JSON.parse(AccessLogSetting.Format))).toEqual(
      expect.arrayContaining(["$context.resourcePath", "$context.status", "$context.authorizer.keyId"]),
    );
  });

  test("has no key, no path with identifiers, no caller's address, and of the authorizer's answer the key's id alone", () => {
    expect(AccessLogSetting.Format).not.toMatch(
      /\$context\.(?:path|identity)|header|[Aa]uthorization|principalId|claims/,
    );
    // The tenant's anchor is in that answer.
    expect(AccessLogSetting.Format.match(/authorizer[.\w]*/g)).toEqual(["authorizer.keyId"]);
  });

  test("is all there is: execution logs, which show whole requests, are off", () => {
    const { MethodSettings } = stack.one("AWS::ApiGateway::Stage").Properties;
    expect(JSON.stringify(MethodSettings)).not.toMatch(/LoggingLevel|"DataTraceEnabled":true/);
  });
});

describe("the API's own address", () => {
  test.each([
    ["behind CloudFront", stack],
    ["by itself", bare],
  ])("speaks nothing older than TLS 1.2, %s", (_, synthesized) => {
    const { SecurityPolicy, EndpointAccessMode } = synthesized.one("AWS::ApiGateway::RestApi").Properties;
    expect([SecurityPolicy, EndpointAccessMode]).toEqual([
      "SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09",
      "STRICT",
    ]);
  });

  test("gives way to the operator's own name where there is no CloudFront", () => {
    expect(bare.one("AWS::ApiGateway::RestApi").Properties.DisableExecuteApiEndpoint).toBe(true);
    expect(bare.one("AWS::ApiGateway::DomainName").Properties).toMatchObject({
      DomainName: "receipts.operator.example",
      SecurityPolicy: "SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09",
    });
  });
});

describe("the firewall", () => {
  test("is not there unless it is asked for", () => {
    expect(stack.all("AWS::WAFv2::WebACL")).toEqual([]);
  });

  test("stands before the API's stage, refuses what no handler reads, and keeps no sample of a request", () => {
    const { Rules } = firewall.one("AWS::WAFv2::WebACL").Properties;
    expect(Rules[0]).toMatchObject({
      Action: { Block: {} },
      Statement: {
        AndStatement: {
          Statements: [
            { SizeConstraintStatement: { ComparisonOperator: "GT", Size: 8_192 } },
            // A report with its tokens is longer than all that WAF can look at.
            { NotStatement: { Statement: { ByteMatchStatement: { SearchString: "/v1/verify-inclusion" } } } },
          ],
        },
      },
    });
    expect(JSON.stringify(firewall.one("AWS::WAFv2::WebACL"))).not.toContain('"SampledRequestsEnabled":true');
    expect(JSON.stringify(firewall.one("AWS::WAFv2::WebACLAssociation").Properties.ResourceArn)).toContain(
      "/stages/",
    );
  });
});

describe("the functions", () => {
  const functions = stack.all("AWS::Lambda::Function").filter(({ id }) => id.startsWith("Attestation"));

  /** A function's environment, with a stand-in for what only a deployment knows. */
  const environmentOf = (from: Synthesized, handler: string): NodeJS.ProcessEnv => {
    const { Variables } = from.one(
      "AWS::Lambda::Function",
      new RegExp(`(?:Handlers|Sealer)${handler}Function`),
    ).Properties.Environment;
    return Object.fromEntries(
      Object.entries(Variables).map(([name, value]) => [
        name,
        typeof value === "string" ? value : "reference",
      ]),
    );
  };

  test.each(functions)("$id runs on arm64 and Node 24, traced, with a log that ends", ({ Properties }) => {
    expect(Properties).toMatchObject({
      Runtime: "nodejs24.x",
      Architectures: ["arm64"],
      Handler: "index.handler",
      TracingConfig: { Mode: "Active" },
    });
    const log = stack.resources.find(({ id }) => id === Properties.LoggingConfig.LogGroup.Ref);
    expect(log?.Properties.RetentionInDays).toBe(90);
  });

  test.each(functions)(
    "$id gives up before API Gateway does, or before the next run begins",
    ({ id, Properties }) => {
      expect(Properties.Timeout).toBeLessThan(id.includes("Sealer") ? 60 : 29);
    },
  );

  test.each([
    ["authorize", [ledgerVariables]],
    [
      "attest",
      [ledgerVariables, macVariables, authorityVariables, trustAnchorVariables, inlineStampVariables],
    ],
    ["report", [ledgerVariables, macVariables, rootsVariables, trustAnchorVariables]],
    ["interaction", [ledgerVariables, macVariables]],
    ["chain", [ledgerVariables]],
    ["chaintile", [ledgerVariables]],
    ["verifyinclusion", [rootsVariables, trustAnchorVariables]],
    ["metachain", [rootsVariables]],
    ["root", [rootsVariables]],
    ["timestamp", [rootsVariables]],
    ["seal", [ledgerVariables, rootsVariables, authorityVariables, sealVariables, trustAnchorVariables]],
  ])("%s finds what it reads in its environment", (handler, schemas) => {
    const environment = environmentOf(stack, handler);
    for (const schema of schemas) expect(schema.safeParse(environment)).toMatchObject({ success: true });
  });

  test("the configuration reaches the functions", () => {
    const environment = environmentOf(firewall, "attest");
    expect(inlineStampVariables.parse(environment).TSA_INLINE).toBe(false);
    expect(environmentOf(stack, "attest").TSA_INLINE).toBe("true");
  });
});
