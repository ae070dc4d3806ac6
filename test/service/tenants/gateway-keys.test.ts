// Keys at API Gateway one by one: names that begin alike, lists of many pages, and what API Gateway refuses.
import type { APIGatewayClient } from "@aws-sdk/client-api-gateway";
import { expect, test } from "vitest";
import { DEFAULT_PLANS } from "../../../contract/plans.ts";
import { usageKeyOf } from "../../../service/tenants/api-key-format.ts";
import { GatewayKeys } from "../../../service/tenants/gateway-keys.ts";
import { FakeGateway } from "../../support/fake-gateway.ts";

const PLANS = ["large-a", "large-b", "large"];
const KEY_ID = "0123456789abcdef";

/** `before` is called with the name of each command, ahead of it. */
function newGateway(before: (command: string) => void = () => {}) {
  const fake = new FakeGateway();
  const send = async (command: { constructor: { name: string }; input: object }) => {
    const name = command.constructor.name.replace("Command", "");
    before(name);
    return fake.answer(name, command.input);
  };
  const client: APIGatewayClient = Object.assign(fake.client, { send });
  const gateway = new GatewayKeys(client, {
    name: "receipts",
    tableName: "table",
    rootsBucket: "bucket",
    macKeyId: "key",
    retiredMacKeyIds: [],
    apiId: "api",
    plans: Object.fromEntries(
      PLANS.map((plan) => [plan, { ...DEFAULT_PLANS.trial, usagePlanId: `plan-${plan}` }]),
    ),
    sealIntervalMinutes: 1,
    url: "https://receipts.example",
    knownAuthorities: true,
    witnessPolicy: null,
  });
  return { fake, gateway };
}

const entered = (plan: string): string => `receipts-${KEY_ID}-${plan} in plan-${plan}`;

test("a key is entered once in each plan, though the plans' names begin alike and fill pages", async () => {
  const { fake, gateway } = newGateway();
  for (const plan of [...PLANS, ...PLANS]) await gateway.enter(KEY_ID, plan);
  expect(fake.entered).toEqual(PLANS.map(entered).sort());
  await gateway.remove(KEY_ID, "large-b");
  expect(fake.entered).toEqual([entered("large-b")]);
});

test("a key counts as entered by its whole name alone, on whatever page of the plan's keys it is", async () => {
  const { fake, gateway } = newGateway();
  for (const plan of PLANS.slice(0, 2)) await gateway.enter(KEY_ID, plan);
  // By hand, in the console.
  for (const { plans } of fake.keys.values()) plans.add("plan-large");
  expect(await gateway.isEntered(KEY_ID, "large")).toBe(false);
  await gateway.enter(KEY_ID, "large");
  expect(await gateway.isEntered(KEY_ID, "large")).toBe(true);
});

test("a key that somebody else creates at the same time is entered once", async () => {
  const { fake, gateway } = newGateway((command) => {
    if (command !== "CreateApiKey") return;
    const [name, value] = [`receipts-${KEY_ID}-large`, usageKeyOf(KEY_ID, "large")];
    fake.answer("CreateApiKey", { name, value, enabled: true });
  });
  await gateway.enter(KEY_ID, "large");
  expect(fake.entered).toEqual([entered("large")]);
});

test("a key that somebody else takes away at the same time is as good as removed", async () => {
  const { fake, gateway } = newGateway((command) => {
    if (command === "DeleteApiKey") fake.keys.clear();
  });
  await gateway.enter(KEY_ID, "large");
  await gateway.remove(KEY_ID);
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
    if (refused === "DeleteApiKey") await gateway.enter(KEY_ID, "large");
    isDown = true;
    const asking =
      refused === "DeleteApiKey"
        ? gateway.remove(KEY_ID)
        : gateway.enter(KEY_ID, "large").then(() => gateway.isEntered(KEY_ID, "large"));
    await expect(asking).rejects.toMatchObject({ code: "gateway_unavailable" });
  },
);
