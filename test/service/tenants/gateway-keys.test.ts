// Keys at API Gateway one by one: names that begin alike, lists of many pages, and what API Gateway refuses.
import type { APIGatewayClient } from "@aws-sdk/client-api-gateway";
import { expect, test } from "vitest";
import { DEFAULT_PLANS } from "../../../contract/plans.ts";
import { usageKeyOf } from "../../../service/tenants/api-key-format.ts";
import { GatewayKeys } from "../../../service/tenants/gateway-keys.ts";
import { FakeGateway } from "../../support/fake-gateway.ts";
import { DEPLOYMENT } from "../../support/gateway-world.ts";

const PLANS = ["large-a", "large-b", "large"];
// An id may have what parts it from its plan.
const ACME = { tenantId: "acme_x", fingerprint: `sha256:${"a".repeat(64)}` };

/** `before` is called with the name of each command, ahead of it. */
function newGateway(before: (command: string) => void = () => {}) {
  const fake = new FakeGateway();
  const send = async (command: { constructor: { name: string }; input: object }) => {
    const name = command.constructor.name.replace("Command", "");
    before(name);
    return fake.answer(name, command.input);
  };
  const client: APIGatewayClient = Object.assign(fake.client, { send });
  const plans = PLANS.map((plan) => [plan, { ...DEFAULT_PLANS.trial, usagePlanId: `plan-${plan}` }]);
  const gateway = new GatewayKeys(client, { ...DEPLOYMENT, plans: Object.fromEntries(plans) });
  return { fake, gateway };
}

const entered = (plan: string): string => `receipts_acme_x_${plan} in plan-${plan}`;

test("a tenant is entered once in each plan, though the plans' names begin alike and fill pages", async () => {
  const { fake, gateway } = newGateway();
  for (const plan of [...PLANS, ...PLANS]) await gateway.enter(ACME, plan);
  expect(fake.entered).toEqual(PLANS.map(entered).sort());
  await gateway.remove(ACME, "large-b");
  expect(fake.entered).toEqual([entered("large-b")]);
});

test("a tenant counts as entered by its own key alone, on whatever page of the plan's keys it is", async () => {
  const { fake, gateway } = newGateway();
  for (const plan of PLANS.slice(0, 2)) await gateway.enter(ACME, plan);
  // By hand, in the console.
  for (const { plans } of fake.keys.values()) plans.add("plan-large");
  expect(await gateway.isEntered(ACME, "large")).toBe(false);
  await gateway.enter(ACME, "large");
  expect(await gateway.isEntered(ACME, "large")).toBe(true);
});

test("a key that somebody else creates at the same time is entered once", async () => {
  const { fake, gateway } = newGateway((command) => {
    if (command !== "CreateApiKey") return;
    const [name, value] = ["receipts_acme_x_large", usageKeyOf(ACME.fingerprint, "large")];
    fake.answer("CreateApiKey", { name, value, enabled: true });
  });
  await gateway.enter(ACME, "large");
  expect(fake.entered).toEqual([entered("large")]);
});

test("tenants whose names begin alike, and one of another deployment, keep their keys", async () => {
  const { fake, gateway } = newGateway();
  const others = ["acme", "acme_x_large", "acme_xy"].map((tenantId) => ({
    ...ACME,
    tenantId,
    fingerprint: tenantId,
  }));
  for (const tenant of [ACME, ...others]) await gateway.enter(tenant, "large");
  const elsewhere = { name: "other_acme_x_large", value: "other", enabled: true };
  fake.answer("CreateApiKey", elsewhere);
  await gateway.remove(ACME);
  expect(fake.keys.size).toBe(others.length + 1);
  expect((await gateway.keysOf()).map(({ tenantId, plan }) => `${tenantId} ${plan}`).sort()).toEqual(
    others.map(({ tenantId }) => `${tenantId} large`).sort(),
  );
});

test("the key of a tenant of the same id, in a deployment that was there before, does not count and goes", async () => {
  const { fake, gateway } = newGateway();
  await gateway.enter({ ...ACME, fingerprint: "of another anchor" }, "large");
  expect(await gateway.isEntered(ACME, "large")).toBe(false);
  await gateway.enter(ACME, "large");
  expect(await gateway.isEntered(ACME, "large")).toBe(true);
  await gateway.remove(ACME, "large");
  expect([...fake.keys.values()].map(({ value }) => value)).toEqual([usageKeyOf(ACME.fingerprint, "large")]);
});

test("a key that somebody else takes away at the same time is as good as removed", async () => {
  const { fake, gateway } = newGateway((command) => {
    if (command === "DeleteApiKey") fake.keys.clear();
  });
  await gateway.enter(ACME, "large");
  await gateway.remove(ACME);
  expect(fake.keys.size).toBe(0);
});

test.each(["CreateApiKey", "CreateUsagePlanKey", "DeleteApiKey", "GetApiKeys", "GetUsagePlanKeys"])(
  "what API Gateway refuses for another reason at %s is told, and never taken for done",
  async (refused) => {
    let isDown = false;
    const { gateway } = newGateway((command) => {
      if (isDown && command === refused)
        throw Object.assign(new Error("no"), { name: "TooManyRequestsException" });
    });
    if (refused === "DeleteApiKey") await gateway.enter(ACME, "large");
    isDown = true;
    const asking =
      refused === "DeleteApiKey"
        ? gateway.remove(ACME)
        : gateway.enter(ACME, "large").then(() => gateway.isEntered(ACME, "large"));
    await expect(asking).rejects.toMatchObject({ code: "gateway_unavailable" });
  },
);
