// The gateway with some of the handlers, as each server of the web runtime has them.
import type { APIGatewayProxyEvent } from "aws-lambda";
import { expect, onTestFinished, test, vi } from "vitest";
import { AUTHORIZER_HANDLER, FALLBACK_HANDLER, ROUTES } from "../../../contract/routes.ts";
import { handlersOf, WEB_SERVERS } from "../../../contract/web-runtime.ts";
import { buildGateway } from "../../../host/server/gateway.ts";
import type { Authorizer } from "../../../host/server/handlers.ts";
import { listen } from "../../../host/server/http-server.ts";
import { MAX_WAITING } from "../../../host/server/turns.ts";

const allowAll: Authorizer = async () => ({
  principalId: "caller",
  policyDocument: { Version: "2012-10-17", Statement: [{ Action: "*", Effect: "Allow", Resource: "*" }] },
  context: {},
});

test("between them the two servers run the handler of every route, and only one records", () => {
  const all = WEB_SERVERS.flatMap(handlersOf);
  const needed = [...ROUTES.map(({ handler }) => handler), FALLBACK_HANDLER, AUTHORIZER_HANDLER];
  expect(new Set(all)).toEqual(new Set(needed));
  expect(handlersOf("read")).not.toContain("attest");
  expect(handlersOf("attest")).toEqual(["attest", "not-found", "authorize"]);
});

test("a route whose handler is not there is the fallback's, without asking the authorizer", async () => {
  const seen: string[] = [];
  const fallback = async ({ resource, path }: APIGatewayProxyEvent) => {
    seen.push(`${resource} ${path}`);
    return { statusCode: 404, body: "" };
  };
  const authorize = () => expect.unreachable("the fallback needs no key");
  const server = await listen(buildGateway({ api: new Map([[FALLBACK_HANDLER, fallback]]), authorize }));
  onTestFinished(server.close);
  expect((await fetch(`${server.url}/v1/attestation/x`)).status).toBe(404);
  expect(seen).toEqual(["/{proxy+} /v1/attestation/x"]);
});

test("a body beyond what any handler reads is answered 413 and not collected", async () => {
  const handler = async () => expect.unreachable("the body was read");
  const api = new Map([["verify-inclusion", handler]]);
  const server = await listen(buildGateway({ api, authorize: handler }));
  onTestFinished(server.close);
  const body = "x".repeat(1024 * 1024 + 1);
  const response = await fetch(`${server.url}/v1/verify-inclusion`, { method: "POST", body });
  expect(response.status).toBe(413);
  // The verifier page may be one of another origin.
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
});

test("pages of other origins may read that an open path has no such method, and of other paths nothing", async () => {
  const fallback = async () => ({ statusCode: 405, body: "" });
  const unused = async () => expect.unreachable("no route matches");
  const api = new Map([
    [FALLBACK_HANDLER, fallback],
    ["verify-inclusion", unused],
    ["report", unused],
  ]);
  const server = await listen(buildGateway({ api, authorize: unused }));
  onTestFinished(server.close);
  const originOf = async (path: string) => {
    const { status, headers } = await fetch(server.url + path, { method: "DELETE" });
    return [status, headers.get("access-control-allow-origin")];
  };
  expect(await originOf("/v1/verify-inclusion")).toEqual([405, "*"]);
  expect(await originOf("/v1/attestation/x")).toEqual([405, null]);
});

test("proofs of callers without a key are checked one at a time, few wait, and a call with a key passes them", async () => {
  const begun: string[] = [];
  const gates: (() => void)[] = [];
  const work = async ({ body, isBase64Encoded }: APIGatewayProxyEvent) => {
    begun.push(Buffer.from(body ?? "", isBase64Encoded ? "base64" : "utf8").toString());
    await new Promise<void>((resolve) => gates.push(resolve));
    return { statusCode: 200, body: "checked" };
  };
  const report = async () => ({ statusCode: 200, body: "report" });
  const api = new Map([
    ["verify-inclusion", work],
    ["report", report],
  ]);
  const server = await listen(buildGateway({ api, authorize: allowAll }));
  onTestFinished(server.close);
  const statuses: number[] = [];
  const prove = async (body: string) => {
    const { status } = await fetch(`${server.url}/v1/verify-inclusion`, { method: "POST", body });
    statuses.push(status);
  };
  const first = prove("first");
  await vi.waitFor(() => expect(begun).toEqual(["first"]));
  const others = Array.from({ length: MAX_WAITING + 3 }, (_, i) => prove(`other ${i}`));
  // Those that may not wait are answered while the first one is still checked.
  await vi.waitFor(() => expect(statuses).toEqual([503, 503, 503]));
  const headers = { authorization: `Bearer dr_live_${"a".repeat(20)}_${"0".repeat(64)}` };
  expect((await fetch(`${server.url}/v1/attestation/x`, { headers })).status).toBe(200);
  for (let i = 1; i <= MAX_WAITING + 1; i++) {
    expect(begun).toHaveLength(i);
    gates[i - 1]?.();
    if (i <= MAX_WAITING) await vi.waitFor(() => expect(begun).toHaveLength(i + 1));
  }
  await Promise.all([first, ...others]);
  expect(statuses.filter((status) => status === 200)).toHaveLength(MAX_WAITING + 1);
});

test("work that fails lets the next one begin", async () => {
  let calls = 0;
  const work = async () => {
    if (calls++ === 0) throw new Error("a fault");
    return { statusCode: 200, body: "" };
  };
  const errors = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => errors.mockRestore());
  const api = new Map([["verify-inclusion", work]]);
  const server = await listen(buildGateway({ api, authorize: allowAll }));
  onTestFinished(server.close);
  const prove = async () =>
    (await fetch(`${server.url}/v1/verify-inclusion`, { method: "POST", body: "{}" })).status;
  expect([await prove(), await prove()]).toEqual([500, 200]);
});
