// What stands between callers and the handlers: CloudFront's cache, the gateway's own answers, headers, and sizes.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { MAX_PROOF_BODY_BYTES } from "../../contract/limits.ts";
import { layerPath } from "../../contract/policy-paths.ts";
import { policyIndexSchema } from "../../evidence/core/formats/policy-index.ts";
import { formatDigest, hashBytes } from "../../evidence/core/merkle/hash.ts";
import { readProblem } from "../support/api-client.ts";
import { apiKey, attest, call, hasCloudFront, isEmulator, target } from "./target.ts";

const OWN_WORDS = "the emulator's own refusals have words of its own";
const NOT_CLOUDFRONT = "the address is not CloudFront's";
/** It has the shape of a key, and nobody has it. */
const STRANGER = `dr_live_${"0".repeat(20)}_${"0".repeat(64)}`;

let isCached: boolean;
let eventId: string;

beforeAll(async () => {
  isCached = await hasCloudFront();
  const answer = await attest(`host-${randomUUID()}`);
  expect([answer.status, await answer.clone().text()]).toEqual([200, expect.anything()]);
  ({ event_id: eventId } = await answer.json());
});

describe("an error", () => {
  test("of one caller is not another one's answer", async () => {
    const path = `/v1/attestation/${eventId}`;
    for (let round = 0; round < 3; round++) {
      expect((await call("GET", path, { key: null })).status).toBe(401);
      expect((await call("GET", path, { key: STRANGER })).status).toBe(401);
      expect((await call("GET", path)).status).toBe(200);
    }
  });

  test("is not kept by the cache, so that what was missing is found at once", async ({ skip }) => {
    if (!isCached) skip(NOT_CLOUDFRONT);
    for (let round = 0; round < 2; round++) {
      const answer = await call("GET", "/v1/metachain/roots/999999999", { key: null });
      expect([answer.status, answer.headers.get("age")]).toEqual([404, null]);
    }
  });

  test.each([
    ["no token", {}],
    ["a token of another shape", { authorization: "Bearer token" }],
    ["another scheme", { authorization: "Basic dXNlcjpwYXNz" }],
  ])("with %s is a 401 with problem details, from the gateway itself", async (_, headers) => {
    const answer = await call("GET", `/v1/attestation/${eventId}`, { key: null, headers });
    expect(answer.status).toBe(401);
    // The emulator's own refusals have words of its own.
    if (!isEmulator) expect(await readProblem(answer)).toMatchObject({ status: 401 });
  });

  test.for<[string, object]>([
    ["without a key", { key: null }],
    ["with one, which API Gateway takes for a signature of AWS's", {}],
  ])("for a path that there is not is a 404 with problem details, %s", async ([, options], { skip }) => {
    if (isEmulator) skip(OWN_WORDS);
    const answer = await call("GET", "/v1/nothing-of-ours", options);
    expect(await readProblem(answer)).toMatchObject({ status: 404 });
  });

  test("for a method that there is not is a 405 that says which there are", async ({ skip }) => {
    if (isEmulator) skip(OWN_WORDS);
    const answer = await call("DELETE", "/v1/attestation");
    expect(await readProblem(answer)).toMatchObject({ status: 405 });
    expect(answer.headers.get("allow")).toContain("POST");
  });
});

describe("the host", () => {
  test("speaks TLS alone", async ({ skip }) => {
    if (!isCached) skip(NOT_CLOUDFRONT);
    const plain = target.url.replace("https:", "http:");
    const { status } = await fetch(`${plain}/v1/metachain`, { redirect: "manual" }).catch(() => ({
      status: 0,
    }));
    expect([0, 301, 307, 308, 403]).toContain(status);
  });

  test("keeps a published root in its cache", async ({ skip }) => {
    if (!isCached) skip(NOT_CLOUDFRONT);
    const { size } = await (await call("GET", "/v1/metachain", { key: null })).json();
    if (size === 0) skip("nothing is published yet");
    const path = "/v1/metachain/roots/0";
    await call("GET", path, { key: null });
    const again = await call("GET", path, { key: null });
    expect(again.headers.get("cache-control")).toContain("immutable");
    expect(again.headers.get("x-cache")).toMatch(/^Hit/);
  });

  test.for([["/"], ["/verify"], ["/verify/"]])(
    "serves the page %s with its policy",
    async ([path = ""], { skip }) => {
      if (!isCached) skip(NOT_CLOUDFRONT);
      const answer = await call("GET", path, { key: null });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(await answer.text()).toContain("default-src 'none'");
    },
  );

  test("serves the wording layers, each under its hash, and keeps them in its cache", async () => {
    const { jurisdictions } = policyIndexSchema.parse(
      await (await call("GET", "/v1/policy", { key: null })).json(),
    );
    expect(jurisdictions.length).toBeGreaterThan(0);
    for (const { digest } of jurisdictions) {
      const answer = await call("GET", `/${layerPath(digest)}`, { key: null });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      expect([answer.status, formatDigest(hashBytes(bytes))]).toEqual([200, digest]);
      expect(answer.headers.get("cache-control")).toContain("immutable");
    }
  });

  test("answers HEAD as GET, without a body, and lets pages of other origins ask", async ({ skip }) => {
    if (isEmulator) skip(OWN_WORDS);
    for (const path of ["/v1/health", "/v1/status", "/v1/metachain", "/v1/policy"]) {
      const [head, preflight] = [
        await call("HEAD", path, { key: null }),
        await call("OPTIONS", path, {
          key: null,
          headers: { origin: "https://reader.example", "access-control-request-method": "GET" },
        }),
      ];
      expect([path, head.status, await head.text()]).toEqual([path, 200, ""]);
      expect([path, preflight.ok, preflight.headers.get("access-control-allow-origin")]).toEqual([
        path,
        true,
        "*",
      ]);
    }
  });

  test("finds a conversation whose id has slashes", async () => {
    const id = `team/${randomUUID()}`;
    expect((await attest(id)).status).toBe(200);
    const answer = await call("GET", `/v1/interactions/${encodeURIComponent(id)}`);
    expect(answer.status).toBe(200);
    expect((await answer.json()).receipts).toHaveLength(1);
  });

  test("lets the largest proof through to the code, which judges it", async () => {
    const body = JSON.stringify({ padding: "x".repeat(MAX_PROOF_BODY_BYTES - 20) });
    const headers = { "content-type": "application/json" };
    const answer = await call("POST", "/v1/verify-inclusion", { key: null, headers, body });
    expect(await readProblem(answer)).toMatchObject({ status: 422 });
  });

  test("hides the key from nobody but its holder: an answer may not be stored", async () => {
    const answer = await call("GET", `/v1/attestation/${eventId}`, { key: await apiKey() });
    expect(answer.headers.get("cache-control")).toContain("no-store");
  });
});
