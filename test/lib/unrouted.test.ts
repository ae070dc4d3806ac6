// What no route takes: API Gateway's own answers are those of the handler that stands in where there is no API Gateway.
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { ROUTES } from "../../contract/routes.ts";
import { handler } from "../../lambdas/not-found.ts";
import { logger } from "../../service/logger.ts";
import { type Resource, Synthesized } from "./synthesis.ts";

const stack = new Synthesized();
const REQUEST_ID = "$context.requestId";

beforeAll(() => void vi.spyOn(logger, "info").mockReturnValue());

async function answerOfHandler(httpMethod: string, path: string) {
  const requestContext = { requestId: REQUEST_ID, httpMethod };
  const event = { httpMethod, path, requestContext } as unknown as APIGatewayProxyEvent;
  const { statusCode, headers = {}, body } = await handler(event, {} as Context);
  return { status: statusCode, headers: { ...headers }, details: JSON.parse(body) };
}

/** Headers by their lower-case names; API Gateway has a prefix before each, and a constant in quotes. */
const headersOf = (parameters: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name.split(".").at(-1)?.toLowerCase(),
      value.match(/^'([^']*)'$/)?.[1],
    ]),
  );

const refusals = stack
  .all("AWS::ApiGateway::Method")
  .filter(({ Properties }) => Properties.HttpMethod === "ANY")
  .map(({ Properties }) => Properties);
const resource = (id: string): Resource =>
  stack.resources.find((candidate) => candidate.id === id) ?? expect.fail(`no resource ${id}`);

function pathOf(reference: { Ref?: string }): string {
  const { Type, Properties } = resource(reference.Ref ?? stack.one("AWS::ApiGateway::RestApi").id);
  return Type === "AWS::ApiGateway::Resource" ? `${pathOf(Properties.ParentId)}/${Properties.PathPart}` : "";
}
const paths = [...new Set(ROUTES.map(({ path }) => path))];

describe.each(paths)("%s", (path) => {
  const { Integration, MethodResponses, AuthorizationType, ApiKeyRequired } =
    refusals.find(({ ResourceId }) => pathOf(ResourceId) === path) ?? expect.fail(`no 405 for ${path}`);
  const [response] = Integration.IntegrationResponses;

  test("answers every other method as the handler does, for everybody, and runs no function", async () => {
    const template = response.ResponseTemplates["application/json"];
    const answer = {
      status: Number(response.StatusCode),
      headers: headersOf(response.ResponseParameters),
      details: JSON.parse(template),
    };
    expect(answer).toEqual(await answerOfHandler("DELETE", path.replaceAll(/\{[^}]+\}/g, "x")));
    expect([Integration.Type, AuthorizationType, ApiKeyRequired]).toEqual(["MOCK", "NONE", undefined]);
    expect(MethodResponses).toEqual([
      {
        StatusCode: "405",
        ResponseParameters: Object.fromEntries(
          Object.keys(response.ResponseParameters).map((name) => [name, true]),
        ),
      },
    ]);
    // To the template language both signs could mean something.
    expect(template.replace(REQUEST_ID, "")).not.toMatch(/[#$]/);
  });

  test("asks for the 405 whatever common type the body has, and takes no status from the body", () => {
    expect(Integration.PassthroughBehavior).toBe("NEVER");
    const templates = Object.entries<string>(Integration.RequestTemplates);
    expect(templates.map(([type]) => type)).toEqual(
      expect.arrayContaining(["application/json", "application/x-www-form-urlencoded", "text/plain"]),
    );
    for (const [, template] of templates) expect(JSON.parse(template)).toEqual({ statusCode: 405 });
  });
});

test("a path that no route has gets the handler's 404", async () => {
  const { StatusCode, ResponseParameters, ResponseTemplates } = stack
    .all("AWS::ApiGateway::GatewayResponse")
    .map(({ Properties }) => Properties)
    .find(({ ResponseType }) => ResponseType === "MISSING_AUTHENTICATION_TOKEN") as Resource["Properties"];
  const answer = {
    status: Number(StatusCode),
    headers: headersOf(ResponseParameters),
    details: JSON.parse(ResponseTemplates["application/json"]),
  };
  expect(answer).toEqual(await answerOfHandler("GET", "/nowhere"));
});
