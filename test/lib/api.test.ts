// The API: its routes, who is let through, what it answers by itself, and what it writes down.
import { describe, expect, test } from "vitest";
import { isOpenToPages, preflightHeadersOf } from "../../contract/cross-origin.ts";
import { problemDetailsSchema } from "../../contract/problem-details.ts";
import { PROBLEMS } from "../../contract/problem-kinds.ts";
import { AUTHORIZER_TTL_SECONDS, methodsOf, ROUTES } from "../../contract/routes.ts";
import { parseConfig } from "../../lib/settings/config.ts";
import { type Resource, Synthesized, VARIANTS } from "./synthesis.ts";

const stack = new Synthesized();
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

  test("without a key answers HEAD by the function that answers GET", () => {
    const open = ROUTES.filter(({ method, access }) => method === "GET" && access === "public");
    expect(open.length).toBeGreaterThan(5);
    for (const { path, handler } of open) {
      const head = methods.get(`HEAD ${path}`);
      expect([path, head && handlerOf(head)]).toEqual([path, handler.replaceAll("-", "")]);
      expect(head?.Properties.AuthorizationType).toBe("NONE");
    }
  });

  test("of the other methods every route's path has the 405, and no other path has a method at all", () => {
    const names = [...methods.keys()].toSorted();
    const paths = [...new Set(ROUTES.map(({ path }) => path))];
    const expected = paths.flatMap((path) =>
      [...methodsOf(path), "ANY"].map((method) => `${method} ${path}`),
    );
    expect(names).toEqual(expected.toSorted());
  });
});

describe("pages of other origins", () => {
  const preflights = [...methods].filter(([name]) => name.startsWith("OPTIONS "));

  test("are told by API Gateway itself, on every path that needs no key and on no other, what they may ask", () => {
    const open = [...new Set(ROUTES.map(({ path }) => path))].filter(isOpenToPages);
    expect(preflights.map(([name]) => name).toSorted()).toEqual(
      open.map((path) => `OPTIONS ${path}`).toSorted(),
    );
    for (const [name, { Properties }] of preflights) {
      const { Type, RequestTemplates, IntegrationResponses } = Properties.Integration;
      expect([name, Type, Properties.AuthorizationType]).toEqual([name, "MOCK", "NONE"]);
      expect(JSON.parse(RequestTemplates["application/json"])).toEqual({ statusCode: 204 });
      const headers = Object.entries(preflightHeadersOf(name.slice("OPTIONS ".length)));
      expect(IntegrationResponses[0].ResponseParameters).toEqual(
        Object.fromEntries(
          headers.map(([header, value]) => [`method.response.header.${header}`, `'${value}'`]),
        ),
      );
    }
  });
});

describe("a flood of calls", () => {
  const { MethodSettings } = stack.one("AWS::ApiGateway::Stage").Properties;
  const limits = new Map<string, readonly number[]>(
    MethodSettings.map(
      ({ HttpMethod, ResourcePath, ThrottlingRateLimit, ThrottlingBurstLimit }: Record<string, string>) => [
        `${HttpMethod} ${ResourcePath?.slice(1).replaceAll("~1", "/")}`,
        [ThrottlingRateLimit, ThrottlingBurstLimit],
      ],
    ),
  );

  test("is stopped on every method, also on those that only say that there is nothing", () => {
    expect(limits.get("* *")).toEqual([100, 200]);
  });

  test("without a key takes little, and with one no plan is stopped before its own limit", () => {
    for (const { method, path, access } of ROUTES) {
      const limit = limits.get(`${method} ${path}`);
      expect([path, limit]).toEqual([path, access === "public" ? [100, 200] : [2_000, 4_000]]);
    }
    for (const { rate, burst } of Object.values(parseConfig({}).plans)) {
      expect(rate).toBeLessThanOrEqual(2_000);
      expect(burst).toBeLessThanOrEqual(4_000);
    }
  });
});

describe("the authorizer", () => {
  const { Properties } = stack.one("AWS::ApiGateway::Authorizer");

  test("is asked for requests with the header, and forgotten in time for a revoked key to die", () => {
    expect(Properties).toMatchObject({
      Type: "TOKEN",
      IdentitySource: "method.request.header.Authorization",
      AuthorizerResultTtlInSeconds: AUTHORIZER_TTL_SECONDS,
    });
  });

  test("is asked for what could be a key, and for nothing else", () => {
    const expression = new RegExp(Properties.IdentityValidationExpression);
    const key = `dr_live_${"0".repeat(20)}_${"a".repeat(64)}`;
    for (const token of [`Bearer ${key}`, `bearer   ${key}`, `BEARER ${key}`])
      expect([token, expression.test(token)]).toEqual([token, true]);
    for (const token of [key, `Basic ${key}`, `Bearer${key}`, `Bearer ${key}0`, `Bearer ${key} `, "Bearer x"])
      expect([token, expression.test(token)]).toEqual([token, false]);
    // Java's expressions know these and JavaScript's don't, or read them in another way.
    expect(Properties.IdentityValidationExpression).not.toMatch(/\(\?|\\|&&/);
  });

  test("names the key that the throttle counts for", () => {
    expect(stack.one("AWS::ApiGateway::RestApi").Properties.ApiKeySourceType).toBe("AUTHORIZER");
  });
});

describe("the usage plans", () => {
  test("are those of the configuration, each with rate and burst, for the one stage; the quota is our own", () => {
    const plans = { gold: { rate: 7, burst: 9, monthlyQuota: 1_000, chains: 1 } };
    const [plan, ...others] = new Synthesized({ plans, cloudFront: false }).all("AWS::ApiGateway::UsagePlan");
    expect(others).toEqual([]);
    expect(plan?.Properties).toMatchObject({
      UsagePlanName: "disclosure-receipts-gold",
      Throttle: { RateLimit: 7, BurstLimit: 9 },
      ApiStages: [{ ApiId: { Ref: expect.any(String) }, Stage: { Ref: expect.any(String) } }],
    });
    expect(plan?.Properties).not.toHaveProperty("Quota");
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
    ["INVALID_SIGNATURE", PROBLEMS.notFound],
    ["EXPIRED_TOKEN", PROBLEMS.notFound],
    ["REQUEST_TOO_LARGE", PROBLEMS.payloadTooLarge],
    ["THROTTLED", PROBLEMS.tooManyRequests],
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

  test.each(["THROTTLED", "DEFAULT_5XX", "INTEGRATION_FAILURE"])("%s says when to ask again", (type) => {
    expect(responseOf(type).ResponseParameters["gatewayresponse.header.retry-after"]).toMatch(/^'\d+'$/);
  });

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
