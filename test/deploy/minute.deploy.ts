// What the deployed stack does within a minute by itself: it seals, and keys die. Both are waited for side by side.
import { setTimeout as delay } from "node:timers/promises";
import { describe, test } from "vitest";
import { type ApiClient, disclosure } from "../support/api-client.ts";
import { schedulesOf } from "../support/emulator-api.ts";
import { newDeployedTenant, theDeployment } from "../support/target.ts";

const stack = theDeployment();
const MINUTE_MS = 60_000;
const POLL_MS = 500;

const statusOf = async (api: ApiClient): Promise<number> =>
  (await api.post("/v1/attestation", JSON.stringify(disclosure()))).status;

/** Milliseconds until a call with the key is answered with `status`. */
async function timeUntil(status: number, api: ApiClient): Promise<number> {
  const start = performance.now();
  while ((await statusOf(api)) !== status) await delay(POLL_MS);
  return performance.now() - start;
}

describe.concurrent("within a minute", () => {
  test("the report of a call is included in a root that was sealed by schedule", async ({ expect }) => {
    const { api } = await newDeployedTenant(stack);
    const { event_id } = await api.attest(disclosure());
    // Nobody asks for a seal here.
    for (let status = "pending"; status === "pending"; await delay(POLL_MS)) {
      ({ status } = (await api.report(event_id)).merkle_proof);
    }
    const report = await api.report(event_id);
    expect(await api.verifyPublished(report, disclosure())).toMatchObject({ valid: true });
    expect(await api.verifyInclusion(report)).toMatchObject({ valid: true });
  });

  test("a key that was in use is refused after it was revoked", async ({ expect }) => {
    const { api, keys } = await newDeployedTenant(stack);
    expect(await statusOf(api)).toBe(200);
    await keys.revoke(api.apiKey.split("_")[2] ?? "");
    expect(await timeUntil(403, api)).toBeLessThan(MINUTE_MS);
  });

  test("a key that was in use is refused after its tenant was suspended", async ({ expect }) => {
    const { api, registry, tenantId } = await newDeployedTenant(stack);
    expect(await statusOf(api)).toBe(200);
    await registry.suspend(tenantId);
    expect(await timeUntil(403, api)).toBeLessThan(MINUTE_MS);
  });

  test("the one schedule runs once", async ({ expect }) => {
    expect(await schedulesOf(stack.endpoint, stack.name)).toEqual([
      expect.objectContaining({ State: "ENABLED", ScheduleExpression: "rate(1 minute)" }),
    ]);
  });
});
