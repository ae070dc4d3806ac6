// What the service says of itself over HTTP: that it is there, what state it is in, and what a key may do.
import { beforeAll, describe, expect, test } from "vitest";
import { INTERFACE_STATUS } from "../../contract/interface-status.ts";
import { DEFAULT_PLANS } from "../../contract/plans.ts";
import { keyDescriptionSchema } from "../../lambdas/api/key-description.ts";
import { serviceStatusSchema } from "../../lambdas/api/service-status.ts";
import { type ApiClient, disclosure, readJson, readProblem } from "../support/api-client.ts";
import { isDeployed, type OperatedTarget, startOperatedTarget } from "../support/target.ts";

let target: OperatedTarget;
let api: ApiClient;

beforeAll(async () => {
  target = await startOperatedTarget();
  api = target.api;
});

const keyOf = async (key: string) =>
  readJson(await api.call("GET", "/v1/key", { key }), keyDescriptionSchema);

test("health says that the service answers, and no cache may repeat it", async () => {
  const response = await api.call("GET", "/v1/health", { key: null });
  expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(await response.json()).toEqual({ status: "ok" });
});

test("status gives the file's statuses as they are, the jurisdictions of the interface, and the log", async () => {
  const response = await api.call("GET", "/v1/status", { key: null });
  const { jurisdictions, log, ...status } = await readJson(response, serviceStatusSchema);
  expect(status).toEqual(INTERFACE_STATUS);
  expect(log.status).toMatch(/published$/);
  expect(response.headers.get("cache-control")).toBe("public, max-age=60");
  expect(jurisdictions.map(({ name, status }) => `${name} ${status}`).sort()).toEqual([
    "Austria planned",
    "Belgium planned",
    "Germany active",
    "Netherlands in_development",
  ]);
});

describe("a key", () => {
  test("of any scope asks what it may do, until when, and within which limits", async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const { tenantId, keys, registry } = target;
    const plan = { name: (await registry.get(tenantId)).plan };
    for (const scope of ["attest", "report"] as const) {
      const { keyId, apiKey } = await keys.create({ tenantId, scopes: [scope], expiresAt });
      const described = await keyOf(apiKey);
      expect(described).toMatchObject({ tenant_id: tenantId, key_id: keyId, scopes: [scope], plan });
      expect(Date.parse(described.expires_at ?? "")).toBe(Date.parse(expiresAt));
    }
  });

  // A tenant that only the table knows has no usage plan in a deployed API Gateway.
  test.skipIf(isDeployed)(
    "is told the limits of its plan and the receipts of the month, and no secret",
    async () => {
      const { registry, keys } = target;
      const tenantId = `counted-${Date.now()}`;
      await registry.create({ tenantId, plan: "trial", chains: 1 });
      const { apiKey } = await keys.create({ tenantId, scopes: ["attest"], expiresAt: null });
      for (const turn of [1, 2]) {
        const headers = { "idempotency-key": `turn-${turn}` };
        const answer = await api.post("/v1/attestation", JSON.stringify(disclosure()), {
          key: apiKey,
          headers,
        });
        expect(answer.status).toBe(200);
      }
      const described = await keyOf(apiKey);
      const { rate, burst, monthlyQuota } = DEFAULT_PLANS.trial;
      expect(described).toMatchObject({
        expires_at: null,
        chains: 1,
        plan: { name: "trial", rate, burst, monthly_quota: monthlyQuota },
        month: { receipts: 2 },
      });
      const now = new Date();
      expect(Date.parse(described.month.ends_at)).toBe(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
      const text = JSON.stringify(described);
      const [, secret = ""] = /_([0-9a-f]{64})$/.exec(apiKey) ?? [];
      for (const kept of [secret, await registry.anchor(tenantId)]) expect(text).not.toContain(kept);
    },
  );

  test("that nobody has given out learns nothing", async () => {
    const unknown = `dr_live_${"0".repeat(20)}_${"0".repeat(64)}`;
    expect(await readProblem(await api.call("GET", "/v1/key", { key: unknown }))).toMatchObject({
      status: 401,
    });
  });
});

test.skipIf(isDeployed)("health needs no table", async () => {
  await target.close();
  expect((await api.call("GET", "/v1/health", { key: null })).status).toBe(200);
});
