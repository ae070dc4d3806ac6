// What API Gateway was told and the emulator keeps without acting on it: refusals of its own, plans, keys.
import {
  APIGatewayClient,
  GetAuthorizersCommand,
  GetGatewayResponsesCommand,
  GetUsagePlansCommand,
} from "@aws-sdk/client-api-gateway";
import { expect, test } from "vitest";
import { configSchema } from "../../lib/settings/config.ts";
import { CREDENTIALS, REGION } from "../support/deployment.ts";
import { theDeployment } from "../support/target.ts";

const { endpoint, apiId, name } = theDeployment();
const gateway = new APIGatewayClient({ endpoint, region: REGION, credentials: CREDENTIALS });
const restApiId = apiId;

test("the refusals of the authorizer are problem details", async () => {
  const { items = [] } = await gateway.send(new GetGatewayResponsesCommand({ restApiId, limit: 500 }));
  const answer = (type: string) => items.find(({ responseType }) => responseType === type);
  expect(answer("UNAUTHORIZED")).toMatchObject({
    statusCode: "401",
    responseParameters: { "gatewayresponse.header.www-authenticate": "'Bearer'" },
  });
  expect(answer("ACCESS_DENIED")).toMatchObject({ statusCode: "403" });
  for (const [type, problem] of [
    ["UNAUTHORIZED", "unauthorized"],
    ["ACCESS_DENIED", "forbidden"],
    ["THROTTLED", "too-many-requests"],
  ] as const) {
    const template = answer(type)?.responseTemplates?.["application/json"] ?? "{}";
    expect(JSON.parse(template)).toMatchObject({ type: `/v1/problems#${problem}` });
    expect(answer(type)?.responseParameters).toMatchObject({
      "gatewayresponse.header.content-type": "'application/problem+json'",
      "gatewayresponse.header.cache-control": "'no-store'",
    });
  }
});

test("what the authorizer says is remembered for half a minute", async () => {
  const { items = [] } = await gateway.send(new GetAuthorizersCommand({ restApiId }));
  expect(items).toEqual([expect.objectContaining({ type: "TOKEN", authorizerResultTtlInSeconds: 30 })]);
});

test("each plan is there with its throttle, for this API", async () => {
  const { items = [] } = await gateway.send(new GetUsagePlansCommand({ limit: 500 }));
  for (const [plan, { rate, burst }] of Object.entries(configSchema.parse({}).plans)) {
    expect(items.find((item) => item.name === `${name}-${plan}`)).toMatchObject({
      apiStages: [expect.objectContaining({ apiId })],
      throttle: { rateLimit: rate, burstLimit: burst },
    });
  }
});
