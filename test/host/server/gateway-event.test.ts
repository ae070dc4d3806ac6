import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { ROUTES } from "../../../contract/routes.ts";
import {
  buildAuthorizerEvent,
  buildContext,
  buildProxyEvent,
  type GatewayRequest,
  matchRoute,
  readRequest,
} from "../../../host/server/gateway-event.ts";

const incoming = (url: string, method = "GET", headers = {}): IncomingMessage =>
  ({ url, method, headers }) as IncomingMessage;
const requestOf = (method: string, url: string): GatewayRequest => readRequest(incoming(url, method));
const match = (method: string, url: string) => matchRoute(ROUTES, requestOf(method, url));

describe("a request", () => {
  test("is parted into path and query", () => {
    const request = readRequest(
      incoming("/v1/interactions/a%20b?from_turn=2&x=?&y", "GET", { accept: "*/*" }),
    );
    expect(request).toMatchObject({
      method: "GET",
      path: "/v1/interactions/a%20b",
      query: { from_turn: "2", x: "?", y: "" },
      headers: { accept: "*/*" },
    });
  });

  test("without a query has null in its place, as API Gateway has", () => {
    expect(requestOf("GET", "/v1/metachain").query).toBeNull();
    expect(requestOf("GET", "/v1/metachain?").query).toBeNull();
  });

  test.each([
    ["http://localhost:8080/v1/metachain?a=b", "/v1/metachain"],
    ["HTTPS://[::1]/v1/metachain?a=b", "/v1/metachain"],
    ["http://localhost?a=b", "/"],
    ["?a=b", "/"],
  ])("may name its target in absolute form: %s", (target, path) => {
    expect(readRequest(incoming(target))).toMatchObject({ path, query: { a: "b" } });
  });

  test("has an id of its own", () => {
    expect(requestOf("GET", "/").requestId).not.toBe(requestOf("GET", "/").requestId);
  });

  test.each(["//", "*", "/%", "/\\", "?", "/v1/../v1/metachain"])(
    "for %s is read without an error, and no route takes it",
    (target) => {
      expect(match("GET", target)).toBeNull();
    },
  );
});

describe("a route", () => {
  test.each([
    ["POST", "/v1/attestation", "attest", {}],
    ["GET", "/v1/attestation/0-1", "report", { event_id: "0-1" }],
    ["GET", "/v1/interactions/call%3A1", "interaction", { interaction_id: "call%3A1" }],
    ["GET", "/v1/interactions/a%2Fb", "interaction", { interaction_id: "a%2Fb" }],
    ["GET", "/v1/interactions/a/b", "interaction", { interaction_id: "a/b" }],
    ["GET", "/v1/metachain/roots/7", "root", { index: "7" }],
    ["GET", "/v1/receipts", "receipts", {}],
    ["GET", "/v1/chains", "chains", {}],
    ["GET", "/v1/chains/0f", "chain-heads", { chain_id: "0f" }],
    ["GET", "/v1/chains/0f/entries/007", "chain-entries", { chain_id: "0f", place: "007" }],
    ["GET", "/v1/chains/0f/entries/x001/007.p/9", "chain-entries", { chain_id: "0f", place: "x001/007.p/9" }],
    ["GET", "/v1/metachain", "metachain", {}],
  ])("takes %s %s for %s", (method, path, handler, pathParameters) => {
    const found = match(method, path);
    expect(found?.route.handler).toBe(handler);
    expect(found?.pathParameters).toEqual(pathParameters);
  });

  test.each([
    ["GET", "/v1/attestation"],
    ["POST", "/v1/attestation/"],
    ["GET", "/v1/attestation/"],
    ["GET", "/v1/attestation/a/b"],
    ["GET", "/v1/interactions/%E0"],
    ["get", "/v1/metachain"],
    ["GET", "/v1/%6Detachain"],
  ])("does not take %s %s", (method, path) => {
    expect(match(method, path)).toBeNull();
  });
});

describe("the event", () => {
  test("has the body in base64, whatever its bytes, and null for none", () => {
    const request = requestOf("POST", "/v1/attestation");
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
    const event = buildProxyEvent(request, match("POST", "/v1/attestation"), bytes, null);
    expect(event.isBase64Encoded).toBe(true);
    expect(Buffer.from(event.body ?? "", "base64")).toEqual(Buffer.from(bytes));
    const empty = buildProxyEvent(request, null, new Uint8Array(), null);
    expect([empty.body, empty.isBase64Encoded]).toEqual([null, false]);
  });

  test("names the route by its pattern, which is what may be logged", () => {
    const request = requestOf("GET", "/v1/interactions/secret?from_turn=2");
    const found = matchRoute(ROUTES, request);
    const event = buildProxyEvent(request, found, new Uint8Array(), { tenantId: "local" });
    expect(event).toMatchObject({
      resource: "/v1/interactions/{interaction_id+}",
      path: "/v1/interactions/secret",
      httpMethod: "GET",
      pathParameters: { interaction_id: "secret" },
      queryStringParameters: { from_turn: "2" },
      requestContext: {
        requestId: request.requestId,
        resourcePath: "/v1/interactions/{interaction_id+}",
        authorizer: { tenantId: "local" },
      },
    });
  });

  test("for no route is that of the greedy one", () => {
    const event = buildProxyEvent(requestOf("GET", "/nowhere"), null, new Uint8Array(), null);
    expect([event.resource, event.pathParameters]).toEqual(["/{proxy+}", null]);
  });

  test("for the authorizer has the method's ARN, from which the stage can be read", () => {
    const request = requestOf("GET", "/v1/attestation/0");
    const { methodArn, type, authorizationToken } = buildAuthorizerEvent(request, "Bearer a");
    expect([type, authorizationToken]).toEqual(["TOKEN", "Bearer a"]);
    expect(methodArn).toMatch(/^arn:aws:execute-api:[^/]+\/local\/GET\/v1\/attestation\/0$/);
  });
});

test("gives a handler the time that a REST API would", () => {
  const { awsRequestId, getRemainingTimeInMillis } = buildContext("id");
  expect(awsRequestId).toBe("id");
  expect(getRemainingTimeInMillis()).toBeGreaterThan(28_000);
  expect(getRemainingTimeInMillis()).toBeLessThanOrEqual(29_000);
});
