import type { APIGatewayAuthorizerResult } from "aws-lambda";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AUTHORIZER_TTL_SECONDS, ROUTES } from "../../contract/routes.ts";
import { Gate } from "../../server/authorization.ts";
import { type GatewayRequest, matchRoute } from "../../server/gateway-event.ts";
import type { Authorizer } from "../../server/handlers.ts";

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
  const match = matchRoute(ROUTES, request);
  return match === null ? expect.unreachable("no route") : gate.check(request, match);
}

const answer = (Effect: "Allow" | "Deny", context: Record<string, string>): APIGatewayAuthorizerResult => ({
  principalId: "caller",
  policyDocument: { Version: "2012-10-17", Statement: [{ Action: "*", Effect, Resource: "*" }] },
  context,
});

test("asks nobody where no key was sent", async () => {
  expect(await check()).toEqual({ kind: "unauthorized" });
  expect(authorize).not.toHaveBeenCalled();
});

test("passes on what the authorizer says of the caller, and asks once a key and a while", async () => {
  authorize.mockImplementation(async ({ headers }) =>
    answer("Allow", { token: headers?.authorization ?? "" }),
  );
  for (let i = 0; i < 3; i++) {
    for (const token of ["Bearer a", "Bearer b"]) {
      expect(await check(token)).toEqual({ kind: "allowed", context: { token } });
    }
  }
  expect(authorize).toHaveBeenCalledTimes(2);
});

test("lets a revoked key live for no longer than the cache, which is less than a minute", async () => {
  expect(TTL_MS).toBeLessThan(60_000);
  authorize.mockResolvedValueOnce(answer("Allow", {}));
  authorize.mockResolvedValue(answer("Deny", { reason: "the API key was revoked" }));
  expect(await check("Bearer a")).toMatchObject({ kind: "allowed" });
  vi.advanceTimersByTime(TTL_MS - 1);
  expect(await check("Bearer a")).toMatchObject({ kind: "allowed" });
  vi.advanceTimersByTime(1);
  const denied = { kind: "forbidden", reason: "the API key was revoked" };
  expect(await check("Bearer a")).toEqual(denied);
  expect(await check("Bearer a")).toEqual(denied);
  expect(authorize).toHaveBeenCalledTimes(2);
});

test.each([
  ["an unknown key", "unauthorized", "Unauthorized"],
  ["a failure of the authorizer", "failed", "the table can't be reached"],
])("remembers nothing of %s: the next call may fare better", async (_what, kind, message) => {
  authorize.mockRejectedValueOnce(new Error(message));
  authorize.mockResolvedValue(answer("Allow", {}));
  expect(await check("Bearer a")).toEqual({ kind });
  expect(await check("Bearer a")).toMatchObject({ kind: "allowed" });
});
