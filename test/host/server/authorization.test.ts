import type { APIGatewayAuthorizerResult } from "aws-lambda";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AUTHORIZER_TTL_SECONDS } from "../../../contract/routes.ts";
import { Gate } from "../../../host/server/authorization.ts";
import type { GatewayRequest } from "../../../host/server/gateway-event.ts";
import type { Authorizer } from "../../../host/server/handlers.ts";

const tokenOf = (digit: string): string => `Bearer dr_live_${digit.repeat(20)}_${digit.repeat(64)}`;
const TTL_MS = AUTHORIZER_TTL_SECONDS * 1000;

const authorize = vi.fn<Authorizer>();
let gate: Gate;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  authorize.mockReset();
  gate = new Gate(authorize);
});
afterEach(() => void vi.useRealTimers());

function check(token?: string) {
  const request: GatewayRequest = {
    requestId: "id",
    method: "POST",
    path: "/v1/attestation",
    query: null,
    headers: token === undefined ? {} : { authorization: token },
  };
  return gate.check(request);
}

const answer = (Effect: "Allow" | "Deny", context: Record<string, string>): APIGatewayAuthorizerResult => ({
  principalId: "caller",
  policyDocument: { Version: "2012-10-17", Statement: [{ Action: "*", Effect, Resource: "*" }] },
  context,
});

test("asks nobody where no header was sent, and says so", async () => {
  expect(await check()).toEqual({ kind: "unauthorized", reason: "no Authorization header was sent" });
  expect(authorize).not.toHaveBeenCalled();
});

test.each(["", "Bearer", "Bearer a", tokenOf("x"), `Basic ${tokenOf("a").slice(7)}`])(
  "asks nobody where the header holds no key, and says so, as with %j",
  async (token) => {
    const refusal = await check(token);
    expect(refusal).toMatchObject({
      kind: "unauthorized",
      reason: expect.stringMatching(/^the Authorization/),
    });
    expect(authorize).not.toHaveBeenCalled();
  },
);

test("passes on what the authorizer says of the caller, and asks once a key and a while", async () => {
  authorize.mockImplementation(async ({ authorizationToken: token }) => answer("Allow", { token }));
  for (let i = 0; i < 3; i++) {
    for (const token of ["a", "b"].map(tokenOf)) {
      expect(await check(token)).toEqual({ kind: "allowed", context: { token } });
    }
  }
  expect(authorize).toHaveBeenCalledTimes(2);
});

test("lets a revoked key live for no longer than the cache, which is less than a minute", async () => {
  expect(TTL_MS).toBeLessThan(60_000);
  authorize.mockResolvedValueOnce(answer("Allow", {}));
  authorize.mockResolvedValue(answer("Deny", { reason: "the API key was revoked" }));
  expect(await check(tokenOf("a"))).toMatchObject({ kind: "allowed" });
  vi.advanceTimersByTime(TTL_MS - 1);
  expect(await check(tokenOf("a"))).toMatchObject({ kind: "allowed" });
  vi.advanceTimersByTime(1);
  const denied = { kind: "forbidden", reason: "the API key was revoked" };
  expect(await check(tokenOf("a"))).toEqual(denied);
  expect(await check(tokenOf("a"))).toEqual(denied);
  expect(authorize).toHaveBeenCalledTimes(2);
});

test.each([
  ["an unknown key", { kind: "unauthorized", reason: "the API key is unknown" }, "Unauthorized"],
  ["a failure of the authorizer", { kind: "failed" }, "the table can't be reached"],
])("remembers nothing of %s: the next call may fare better", async (_what, refusal, message) => {
  authorize.mockRejectedValueOnce(new Error(message));
  authorize.mockResolvedValue(answer("Allow", {}));
  expect(await check(tokenOf("a"))).toEqual(refusal);
  expect(await check(tokenOf("a"))).toMatchObject({ kind: "allowed" });
});
