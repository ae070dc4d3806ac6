// HTTP as browsers, monitors and people with a terminal use it: HEAD, calls from the pages of other origins, and
// refusals that say what was wrong with the key.
import { beforeAll, describe, expect, test } from "vitest";
import { MAX_TURN } from "../../contract/limits.ts";
import { ROUTES } from "../../contract/routes.ts";
import { type ApiClient, disclosure, readProblem } from "../support/api-client.ts";
import { isDeployed, startTarget } from "../support/target.ts";

const ORIGIN = "https://reader.example";
const KEYED = ROUTES.filter(({ access }) => access === "key");

let api: ApiClient;

beforeAll(async () => {
  // No seal comes by itself, so that a report stays pending.
  ({ api } = await startTarget({ SEAL_INTERVAL_SECONDS: "3600" }));
});

const anyone = (method: string, path: string, headers: Record<string, string> = {}) =>
  api.call(method, path, { key: null, headers: { origin: ORIGIN, ...headers } });
const preflight = (path: string, method: string) =>
  anyone("OPTIONS", path, {
    "access-control-request-method": method,
    "access-control-request-headers": "content-type",
  });

describe("HEAD", () => {
  test.each(["/v1/health", "/v1/status", "/v1/openapi.json", "/v1/problems", "/v1/metachain"])(
    "%s answers as GET does, without the body",
    async (path) => {
      const [head, get] = await Promise.all([anyone("HEAD", path), anyone("GET", path)]);
      expect(await head.text()).toBe("");
      for (const name of ["content-type", "cache-control"])
        expect(head.headers.get(name)).toBe(get.headers.get(name));
      expect(head.status).toBe(get.status);
    },
  );

  test.skipIf(isDeployed)("of a call with a key is not there", async () => {
    expect((await api.call("HEAD", "/v1/chains")).status).toBe(405);
  });
});

describe("a page of another origin", () => {
  test.each([
    ["GET", "/v1/metachain"],
    ["GET", "/v1/metachain/roots/7"],
    ["GET", "/v1/status"],
    ["POST", "/v1/verify-inclusion"],
  ])("may %s %s, and its browser need not ask again for two hours", async (method, path) => {
    const answer = await preflight(path, method);
    expect(answer.ok).toBe(true);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-allow-methods")?.split(", ")).toContain(method);
    expect(answer.headers.get("access-control-allow-headers")?.toLowerCase()).toContain("content-type");
    expect(answer.headers.get("access-control-max-age")).toBe("7200");
  });

  test("may read a refusal, too", async () => {
    const headers = { origin: ORIGIN };
    const refused = await api.post("/v1/verify-inclusion", "{}", { key: null, headers });
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([422, "*"]);
    const missing = await anyone("GET", "/v1/metachain/roots/7");
    expect([missing.status, missing.headers.get("access-control-allow-origin")]).toEqual([404, "*"]);
  });

  // The emulator's own CORS answers every preflight.
  test.skipIf(isDeployed).each(KEYED)("may not ask for $method $path", async ({ method, path }) => {
    const url = path.replaceAll(/\{[^}]+\}/g, "x");
    const answer = await preflight(url, method);
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([405, null]);
    const called = await api.call(method, url, { headers: { origin: ORIGIN } });
    expect(called.headers.get("access-control-allow-origin")).toBeNull();
  });
});

const NO_WHOLE_KEY =
  "the Authorization header is not `Bearer` and a whole API key, `dr_live_` and 85 characters more";

// API Gateway answers all three alike; test/lib/api.test.ts has its words.
test.skipIf(isDeployed).each([
  ["no Authorization header was sent", {}],
  [NO_WHOLE_KEY, { authorization: "x" }],
  [NO_WHOLE_KEY, { authorization: `Bearer dr_live_${"0".repeat(20)}_${"0".repeat(63)}` }],
  ["the API key is unknown", { authorization: `Bearer dr_live_${"0".repeat(20)}_${"0".repeat(64)}` }],
])("a 401 says: %s", async (detail, headers) => {
  const problem = await readProblem(await api.call("GET", "/v1/chains", { key: null, headers }));
  expect(problem).toMatchObject({ status: 401, detail });
});

test("a report that waits for its root says when to ask again", async () => {
  const { event_id } = await api.attest(disclosure());
  const pending = await api.call("GET", `/v1/attestation/${event_id}`);
  expect(await pending.json()).toMatchObject({ merkle_proof: { status: "pending" } });
  expect(pending.headers.get("retry-after")).toBe("30");
});

test("behind its last turn a conversation is an empty page, and one that never was is not found", async () => {
  const interaction_id = "of-one-turn";
  await api.attest(disclosure({ interaction_id }));
  for (const turn of [2, MAX_TURN]) {
    const empty = { interaction_id, receipts: [], requests: [], proofs: [], seals: [], next_turn: null };
    expect(await api.interaction(interaction_id, turn)).toMatchObject(empty);
  }
  const none = await api.call("GET", "/v1/interactions/of-no-turn?from_turn=2");
  expect(await readProblem(none)).toMatchObject({ status: 404 });
});
