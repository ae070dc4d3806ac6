// The plans' rate in front of every handler with a key, where the process holds it.
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const PLANS = { gold: { rate: 1, burst: 2, monthlyQuota: 1, chains: 1 } };

beforeEach(() => {
  vi.resetModules();
  vi.unstubAllEnvs();
  vi.stubEnv("POWERTOOLS_LOG_LEVEL", "SILENT");
  // Time stands still, so that no slow machine gives a token back.
  vi.spyOn(performance, "now").mockReturnValue(1_000);
});
afterEach(() => vi.restoreAllMocks());

/** Two handlers of a process with this environment; each answers with 200 unless the wrapper refuses. */
async function newHandlers(environment: Readonly<Record<string, string>>) {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const { apiHandler, json } = await import("../../lambdas/middleware/api.ts");
  return [apiHandler(() => json({})), apiHandler(() => json({}))] as const;
}

const eventOf = (authorizer: object | null) =>
  ({ headers: {}, requestContext: { requestId: "b5e1", authorizer } }) as unknown as APIGatewayProxyEvent;
const keyed = (tenantId: string, plan = "gold") => eventOf({ tenantId, plan, keyId: tenantId });

const statusOf = async (handler: Awaited<ReturnType<typeof newHandlers>>[0], event: APIGatewayProxyEvent) =>
  (await handler(event, {} as Context)).statusCode;

const HELD = { RATE_LIMIT: "true", PLANS: JSON.stringify(PLANS) };

test("a tenant over its rate gets a 429 from any handler, and the problem says which limit ends when", async () => {
  const [one, other] = await newHandlers(HELD);
  expect(await statusOf(one, keyed("acme"))).toBe(200);
  expect(await statusOf(other, keyed("acme"))).toBe(200);
  const { statusCode, headers = {}, body } = await one(keyed("acme"), {} as Context);
  const details = JSON.parse(body);
  expect(statusCode).toBe(429);
  expect(headers).toMatchObject({ "retry-after": "1", "cache-control": "no-store" });
  expect(details).toMatchObject({ type: "/v1/problems#too-many-requests", limit: "rate", instance: "b5e1" });
  expect(Date.parse(details.ends_at)).not.toBeNaN();
});

test("other tenants and public routes are not held up, and a plan that is not listed is refused", async () => {
  const [handler] = await newHandlers(HELD);
  for (let call = 0; call < 3; call++) {
    expect(await statusOf(handler, keyed(`tenant-${call}`))).toBe(200);
    expect(await statusOf(handler, eventOf(null))).toBe(200);
    expect(await statusOf(handler, keyed("free", "unlisted"))).toBe(403);
  }
});

test.each([
  ["the front door holds the rate", { PLANS: JSON.stringify(PLANS) }],
  ["there are no plans", { RATE_LIMIT: "true" }],
])("nothing is counted where %s", async (_where, environment) => {
  const [handler] = await newHandlers(environment);
  for (let call = 0; call < 5; call++) expect(await statusOf(handler, keyed("acme"))).toBe(200);
});

test("a process with plans that can't be read does not start", async () => {
  await expect(newHandlers({ RATE_LIMIT: "true", PLANS: "gold" })).rejects.toThrowError(
    /PLANS: must be a JSON object of plans/,
  );
});
