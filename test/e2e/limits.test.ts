// A plan's limits as a caller over HTTP meets them, on a stack that holds both itself.
import { beforeAll, expect, test } from "vitest";
import { ApiClient, disclosure, readProblem } from "../support/api-client.ts";
import { startLocalStack } from "../support/local-stack.ts";

const QUOTA = 2;
/** Enough for the calls before the last test, and few enough to be used up faster than they come back. */
const BURST = 30;
const PLANS = JSON.stringify({ local: { rate: 1, burst: BURST, monthlyQuota: QUOTA, chains: 1 } });
const BODY = JSON.stringify(disclosure());

let api: ApiClient;

beforeAll(async () => {
  api = new ApiClient(await startLocalStack({ environment: { PLANS, RATE_LIMIT: "true" } }));
});

const attest = (key: string) => api.post("/v1/attestation", BODY, { headers: { "idempotency-key": key } });

test("the month's quota ends attestations until the next month; repeats and reports are answered", async () => {
  const first = await attest("key-0");
  const { event_id } = (await first.json()) as { event_id: string };
  expect((await attest("key-1")).status).toBe(200);

  const refused = await attest("key-2");
  const now = new Date();
  const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  const retryAfter = Number(refused.headers.get("retry-after"));
  const problem = await readProblem(refused);
  expect(problem).toMatchObject({ status: 429, limit: "monthly_quota" });
  expect(problem.detail).toContain(`quota of ${QUOTA} attestations a month`);
  expect(Date.parse(problem.ends_at ?? "")).toBeGreaterThanOrEqual(nextMonth);
  expect(retryAfter).toBeGreaterThan(0);

  const repeated = await attest("key-0");
  expect(await repeated.json()).toMatchObject({ event_id });
  expect((await api.call("GET", `/v1/attestation/${event_id}`)).status).toBe(200);
});

test("the rate ends calls of every kind for a moment, and what anyone may call goes on", async () => {
  const answers = await Promise.all(Array.from({ length: 2 * BURST }, () => api.call("GET", "/v1/chains")));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  const [problem] = await Promise.all(refused.map(readProblem));
  expect(problem).toMatchObject({ limit: "rate", type: "/v1/problems#too-many-requests" });
  expect(refused[0]?.headers.get("retry-after")).toBe("1");
  expect((await api.call("GET", "/v1/metachain", { key: null })).status).toBe(200);
});
