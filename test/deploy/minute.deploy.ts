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

/**
 * Milliseconds from now until the last call that the key still opens is sent. When its refusal comes back depends on the
 * machine; that no call is taken that is sent later does not.
 */
async function timeUntilRefused(api: ApiClient): Promise<number> {
  const start = performance.now();
  for (let last = 0; ; await delay(POLL_MS)) {
    const sent = performance.now() - start;
    const status = await statusOf(api);
    if (status === 403) return last;
    if (status === 200) last = sent;
  }
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
    expect(await timeUntilRefused(api)).toBeLessThan(MINUTE_MS);
  });

  test("a key that was in use is refused after its tenant was suspended", async ({ expect }) => {
    const { api, registry, tenantId } = await newDeployedTenant(stack);
    expect(await statusOf(api)).toBe(200);
    await registry.suspend(tenantId);
    expect(await timeUntilRefused(api)).toBeLessThan(MINUTE_MS);
  });

  test("every schedule is there once: bills each hour, the sealer and the webhooks each minute", async ({
    expect,
  }) => {
    const schedules = await schedulesOf(stack.endpoint, stack.name);
    const told = schedules.map(({ Description, State, ScheduleExpression }) =>
      [Description, State, ScheduleExpression].join(", "),
    );
    expect(told.sort()).toEqual([
      "runs the bills, ENABLED, rate(1 hour)",
      "runs the deliverer of webhooks, ENABLED, rate(1 minute)",
      "runs the sealer, ENABLED, rate(1 minute)",
    ]);
  });
});
