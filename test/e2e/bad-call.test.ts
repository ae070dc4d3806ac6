// Calls that are wrong around the body: content type, method, path, Idempotency-Key and API key. Each gets the problem
// that the design's section 2 names, and leaves nothing behind.
import { request as plainRequest } from "node:http";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import { disclosure } from "../support/api-client.ts";
import { type Expected, Refusals } from "../support/refusals.ts";
import { isDeployed, startTarget } from "../support/target.ts";

const ATTESTATION = "/v1/attestation";
const VERIFY = "/v1/verify-inclusion";

const good = JSON.stringify(disclosure());

let refusals: Refusals;

beforeAll(async () => {
  refusals = await Refusals.against((await startTarget({})).api);
});

describe("the content type", () => {
  const unsupported: Expected = { status: 415, name: "unsupported-media-type" };

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/json-patch+json",
    "application/json; charset=latin1",
  ])("must not be %s", async (type) => {
    for (const path of [ATTESTATION, VERIFY]) {
      await refusals.expectProblem(
        await refusals.api.post(path, good, { headers: { "content-type": type } }),
        unsupported,
      );
    }
  });

  test("must be there", async () => {
    await refusals.expectProblem(
      await refusals.api.call("POST", ATTESTATION, { body: Buffer.from(good) }),
      unsupported,
    );
  });

  test.each(["application/json;charset=UTF-8", "Application/JSON; charset=utf-8"])(
    "may be %s",
    async (type) => {
      await refusals.attestGood(good, { "content-type": type });
    },
  );
});

describe("method and path", () => {
  // API Gateway answers by itself where no route has the path; the emulator has its own status for that.
  const nothing: Expected = { status: isDeployed ? 403 : 404, name: "not-found", byGateway: true };

  // The emulator's CloudFormation leaves the gateway's own 405s out; test/lib/unrouted.test.ts reads them in the template.
  test.skipIf(isDeployed).each([
    ["GET", ATTESTATION, "POST"],
    ["DELETE", ATTESTATION, "POST"],
    ["PUT", `${ATTESTATION}/00000000-0000-8000-8000-000000000000`, "GET"],
    ["POST", "/v1/interactions/good", "GET"],
    ["DELETE", "/v1/interactions/good", "GET"],
    ["GET", VERIFY, "POST, OPTIONS"],
    ["POST", "/v1/metachain", "GET, HEAD, OPTIONS"],
    ["PUT", "/v1/metachain/roots/0", "GET, HEAD, OPTIONS"],
    ["PATCH", "/v1/openapi.json", "GET, HEAD, OPTIONS"],
    ["POST", "/v1/problems", "GET, HEAD, OPTIONS"],
  ])("%s %s is a 405 that allows %s", async (method, path, allow) => {
    const response = await refusals.api.call(method, path);
    expect(response.headers.get("allow")).toBe(allow);
    await refusals.expectProblem(response, { status: 405, name: "method-not-allowed" });
  });

  test.each([
    "/v1",
    "/v1/",
    "/v2/attestation",
    "/v1/attestations",
    // To the emulator a slash at the end is none.
    ...(isDeployed ? [] : ["/v1/attestation/"]),
    "/v1/interactions/",
    "/v1/attestation/a/b",
    "/V1/metachain",
    "/.git/config",
    "//",
    "/%",
  ])("GET %s is a 404", async (path) => {
    await refusals.expectProblem(await refusals.api.call("GET", path), nothing);
  });

  test("GET /v1/metachain/roots/%00 is a 404 of the route's own", async () => {
    const response = await refusals.api.call("GET", "/v1/metachain/roots/%00");
    await refusals.expectProblem(response, { status: 404, name: "not-found" });
  });

  // Of API Gateway's own reading of such targets the emulator knows nothing.
  test.skipIf(isDeployed).each(["//", "*", "/\\", "/v1/metachain/../../etc/passwd"])(
    "the raw request target %s is a problem too, not a failure",
    async (path) => {
      const { hostname, port } = new URL(refusals.api.url);
      const { promise, resolve, reject } = Promise.withResolvers<Response>();
      plainRequest({ hostname, port, path, method: "OPTIONS" }, async (incoming) => {
        const headers = incoming.headers as Record<string, string>;
        resolve(new Response(await text(incoming), { status: incoming.statusCode ?? 0, headers }));
      })
        .on("error", reject)
        .end();
      await refusals.expectProblem(await promise, { status: 404, name: "not-found" });
    },
  );
});

describe("the Idempotency-Key", () => {
  test.each(["with space", "ä", "x".repeat(256), ""])("must not be %j", async (key) => {
    const response = await refusals.api.post(ATTESTATION, good, { headers: { "idempotency-key": key } });
    await refusals.expectProblem(response, { status: 400, name: "bad-request", pointers: ["#"] });
  });

  test("gives the same receipt again for the same body, however it is spelled", async () => {
    const headers = { "idempotency-key": "!~".padEnd(255, "k") };
    const spelled = JSON.stringify(Object.fromEntries(Object.entries(disclosure()).reverse()), null, 2);
    const sequence = await refusals.attestGood(good, headers);
    expect(await refusals.attestGood(spelled, headers)).toBe(sequence);
    await refusals.expectNothingLeft();
  });

  test("conflicts with another body", async () => {
    const headers = { "idempotency-key": "once" };
    await refusals.attestGood(good, headers);
    const other = JSON.stringify(disclosure({ modality: "chat" }));
    const conflict = await refusals.api.post(ATTESTATION, other, { headers });
    await refusals.expectProblem(conflict, { status: 409, name: "idempotency-conflict" });
  });
});

describe("the API key", () => {
  const unauthorized: Expected = { status: 401, name: "unauthorized", byGateway: true };

  test.each([
    ["missing", {}],
    ["in another scheme", { authorization: "Basic ZHI6bGl2ZQ==" }],
    ["without a scheme", { authorization: `dr_live_${"0".repeat(20)}_${"0".repeat(64)}` }],
    ["no key of ours", { authorization: "Bearer secret" }],
    ["unknown", { authorization: `Bearer dr_live_${"0".repeat(20)}_${"0".repeat(64)}` }],
    ["empty", { authorization: "Bearer " }],
  ])("that is %s is a 401 on every route that needs one", async (_what, headers) => {
    for (const [method, path] of [
      ["POST", ATTESTATION],
      ["GET", `${ATTESTATION}/00000000-0000-8000-8000-000000000000`],
      ["GET", "/v1/interactions/good"],
    ] as const) {
      const response = await refusals.api.call(method, path, { key: null, headers });
      if (!isDeployed) expect(response.headers.get("www-authenticate")).toBe("Bearer");
      await refusals.expectProblem(response, unauthorized);
    }
  });

  test("with one digit of its secret changed is a 401", async () => {
    const last = refusals.api.apiKey.endsWith("0") ? "1" : "0";
    const response = await refusals.api.post(ATTESTATION, good, {
      key: refusals.api.apiKey.slice(0, -1) + last,
    });
    await refusals.expectProblem(response, unauthorized);
  });
});
