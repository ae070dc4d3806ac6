// Keys in the table and at API Gateway: whatever crashes when, the list shows all there is, and no right call is refused.
import { afterAll, describe, expect, test } from "vitest";
import type { Deployment } from "../../../contract/deployment.ts";
import { DEFAULT_PLANS } from "../../../contract/plans.ts";
import { usageKeyOf } from "../../../service/tenants/api-key-format.ts";
import { ApiKeys } from "../../../service/tenants/api-keys.ts";
import { GatewayKeys } from "../../../service/tenants/gateway-keys.ts";
import { issueKey, listKeys, movePlan, revokeKey, rotateKey } from "../../../service/tenants/tenant-keys.ts";
import { TenantRegistry } from "../../../service/tenants/tenant-registry.ts";
import { Tenants } from "../../../service/tenants/tenants.ts";
import { FakeGateway } from "../../support/fake-gateway.ts";
import { faultAt, type Interceptor, type Step, undisturbed } from "../../support/faults.ts";
import { HOUR, type Ledger, startLedgerStack } from "../../support/ledger-stack.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const PARTS = { tableName: "table", rootsBucket: "bucket", macKeyId: "key", apiId: "api" };
const DEPLOYMENT: Deployment = {
  name: "receipts",
  ...PARTS,
  retiredMacKeyIds: [],
  plans: {
    trial: { ...DEFAULT_PLANS.trial, usagePlanId: "plan-trial" },
    standard: { ...DEFAULT_PLANS.standard, usagePlanId: "plan-standard" },
  },
  sealIntervalMinutes: 1,
  url: "https://receipts.example",
  knownAuthorities: true,
  witnessPolicy: null,
};
const KEY = { tenantId: "acme", scopes: ["attest"], expiresAt: null } as const;
const secretsApart = (apiKey: string): string => apiKey.split("_")[2] ?? "";

/** One run of the program: what it calls passes through `intercept`. */
function newRun(ledger: Ledger, fake: FakeGateway, intercept: Interceptor = undisturbed) {
  const process = ledger.newProcess(intercept);
  const services = {
    registry: new TenantRegistry(process.table, ledger.clock),
    keys: new ApiKeys(process.table, ledger.clock),
    gateway: new GatewayKeys(process.calls.through(fake.client), DEPLOYMENT),
    clock: ledger.clock,
  };
  return { ...services, services, tenants: new Tenants(process.table, ledger.clock), calls: process.calls };
}

async function newWorld() {
  const [ledger, fake] = [await stack.newLedger(), new FakeGateway()];
  const run = newRun(ledger, fake);
  await run.registry.create({ tenantId: "acme", plan: "trial", chains: 1 });
  return { ledger, fake, ...run };
}

/** Runs until the step, of which the process dies. */
async function die(
  step: Step,
  mode: Parameters<typeof faultAt>[1],
  run: (intercept: Interceptor) => Promise<unknown>,
) {
  const death = Promise.withResolvers<void>();
  const intercept = faultAt(step, mode, { rival: async () => {}, died: death.resolve });
  const survived = run(intercept).then(() => Promise.reject(new Error("the step was never reached")));
  await Promise.race([survived, death.promise]);
}

const DEATHS = ["is never made, for the process dies", "is the last that the process makes"] as const;

describe("a key that is issued", () => {
  test("opens, is let through under its tenant's plan, and is listed", async () => {
    const { fake, services, tenants } = await newWorld();
    const { keyId, apiKey } = await issueKey(services, KEY);
    expect(secretsApart(apiKey)).toBe(keyId);
    expect(await tenants.authenticate(apiKey)).toMatchObject({ tenantId: "acme", keyId, plan: "trial" });
    fake.learn();
    expect(fake.admits(usageKeyOf(keyId, "trial"))).toBe(true);
    expect(fake.entered).toEqual([`receipts-${keyId}-trial in plan-trial`]);
    expect(await listKeys(services, "acme")).toMatchObject([{ keyId, state: "active", scopes: ["attest"] }]);
  });

  test("is none for a tenant that there is not", async () => {
    const { fake, services } = await newWorld();
    const issuing = issueKey(services, { ...KEY, tenantId: "nobody" });
    await expect(issuing).rejects.toMatchObject({ code: "not_found" });
    expect(fake.keys.size).toBe(0);
  });

  test("is let through under the next plan too, where that changes while it is issued", async () => {
    const { ledger, fake, services } = await newWorld();
    const slow = newRun(ledger, fake, async (call, send) => {
      if (call.name === "CreateApiKey" && call.nth === 1) await services.registry.setPlan("acme", "standard");
      return send();
    });
    await issueKey(slow.services, KEY);
    expect(await listKeys(services, "acme")).toMatchObject([{ state: "active" }]);
  });

  test("is revoked where API Gateway does not take it, and nothing remains that opens", async () => {
    const { ledger, fake, services } = await newWorld();
    const failing = newRun(ledger, fake, async (call, send) => {
      if (call.name === "CreateUsagePlanKey") throw new Error("no");
      return send();
    });
    await expect(issueKey(failing.services, KEY)).rejects.toMatchObject({ code: "gateway_unavailable" });
    const [key] = await listKeys(services, "acme");
    expect(key).toMatchObject({ state: "revoked" });
    await revokeKey(services, key?.keyId ?? "");
    expect(fake.keys.size).toBe(0);
  });

  const STEPS: Step[] = [
    { name: "TransactWriteItems", nth: 1 },
    { name: "CreateApiKey", nth: 1 },
    { name: "CreateUsagePlanKey", nth: 1 },
  ];
  test.each(STEPS.flatMap(({ name, nth }) => DEATHS.map((mode) => ({ name, nth, mode }))))(
    "is listed, if anything of it is there, when $name $mode",
    async ({ mode, ...step }) => {
      const { ledger, fake, services } = await newWorld();
      await die(step, mode, (intercept) => issueKey(newRun(ledger, fake, intercept).services, KEY));
      const listed = await listKeys(services, "acme");
      for (const { name } of fake.keys.values()) {
        expect(listed.some(({ keyId }) => name === `receipts-${keyId}-trial`)).toBe(true);
      }
      // The list is the way to clear up.
      for (const { keyId } of listed) await revokeKey(services, keyId);
      expect(fake.keys.size).toBe(0);
      expect((await listKeys(services, "acme")).every(({ state }) => state === "revoked")).toBe(true);
    },
  );
});

describe("the list", () => {
  test("tells which keys have ended, were revoked, or are not at API Gateway", async () => {
    const { ledger, fake, services } = await newWorld();
    const until = new Date(ledger.now + HOUR).toISOString();
    const ended = await issueKey(services, { ...KEY, expiresAt: until });
    const revoked = await issueKey(services, KEY);
    const lost = await issueKey(services, KEY);
    const good = await issueKey(services, KEY);
    await revokeKey(services, revoked.keyId);
    for (const [id, { name }] of fake.keys) if (name.includes(lost.keyId)) fake.keys.delete(id);
    ledger.now += 2 * HOUR;
    const states = new Map((await listKeys(services, "acme")).map(({ keyId, state }) => [keyId, state]));
    expect(states).toEqual(
      new Map([
        [ended.keyId, "expired"],
        [revoked.keyId, "revoked"],
        [lost.keyId, "not_at_gateway"],
        [good.keyId, "active"],
      ]),
    );
  });

  test("has a plan change to the same plan enter what is not at API Gateway", async () => {
    const { fake, services } = await newWorld();
    await issueKey(services, KEY);
    fake.keys.clear();
    await movePlan(services, "acme", "trial", async () => {});
    expect(await listKeys(services, "acme")).toMatchObject([{ state: "active" }]);
  });
});

describe("a plan that changes", () => {
  /** Every key is let through by every name that the authorizer, or its cache, may give it. */
  class Watch {
    readonly #fake: FakeGateway;
    readonly #keyIds: readonly string[];
    readonly #planNow: () => Promise<string>;
    #cached: string;
    seen = 0;

    constructor(fake: FakeGateway, keyIds: readonly string[], planNow: () => Promise<string>) {
      this.#fake = fake;
      this.#keyIds = keyIds;
      this.#planNow = planNow;
      this.#cached = "trial";
    }

    async check(): Promise<void> {
      for (const plan of new Set([this.#cached, await this.#planNow()])) {
        for (const keyId of this.#keyIds) {
          expect(this.#fake.admits(usageKeyOf(keyId, plan)), `${keyId} under ${plan}`).toBe(true);
        }
      }
      this.seen++;
    }

    pause = async (): Promise<void> => {
      await this.check();
      this.#fake.learn();
      this.#cached = await this.#planNow();
    };
  }

  async function newMove() {
    const world = await newWorld();
    const issued = [await issueKey(world.services, KEY), await issueKey(world.services, KEY)];
    world.fake.learn();
    const keyIds = issued.map(({ keyId }) => keyId);
    const watch = new Watch(world.fake, keyIds, async () => (await world.registry.get("acme")).plan);
    return { ...world, keyIds, watch };
  }

  const moved = (keyIds: readonly string[]) =>
    keyIds.map((keyId) => `receipts-${keyId}-standard in plan-standard`).sort();

  test("refuses no call at any step, and leaves nothing in the old plan", async () => {
    const { ledger, fake, keyIds, registry, watch } = await newMove();
    const { services } = newRun(ledger, fake, async (_call, send) => {
      await watch.check();
      const answer = await send();
      await watch.check();
      return answer;
    });
    await movePlan(services, "acme", "standard", watch.pause);
    await watch.check();
    expect(watch.seen).toBeGreaterThan(10);
    expect((await registry.get("acme")).plan).toBe("standard");
    expect(fake.entered).toEqual(moved(keyIds));
  });

  test("waits for nobody where the tenant has no key that works", async () => {
    const { services, registry } = await newWorld();
    await revokeKey(services, (await issueKey(services, KEY)).keyId);
    await movePlan(services, "acme", "standard", async (what) => expect.unreachable(what));
    expect((await registry.get("acme")).plan).toBe("standard");
  });

  test("that is changed back meanwhile takes no key out of the plan that counts", async () => {
    const { services, fake, keyIds } = await newMove();
    await movePlan(services, "acme", "standard", async (what) => {
      if (what.includes("old plan")) await movePlan(services, "acme", "trial", async () => {});
    });
    for (const keyId of keyIds) expect(fake.entered).toContain(`receipts-${keyId}-trial in plan-trial`);
  });

  test("takes keys along that are issued meanwhile, and none that opens nothing any more", async () => {
    const { fake, keyIds, services } = await newMove();
    await revokeKey(services, keyIds.shift() ?? "");
    await movePlan(services, "acme", "standard", async (what) => {
      if (what.includes("new plan")) keyIds.push((await issueKey(services, KEY)).keyId);
    });
    expect(fake.entered).toEqual(moved(keyIds));
  });

  const STEPS: Step[] = [
    ...[1, 2].map((nth) => ({ name: "CreateApiKey", nth })),
    ...[1, 2].map((nth) => ({ name: "CreateUsagePlanKey", nth })),
    { name: "UpdateItem", nth: 1 },
    ...[1, 2].map((nth) => ({ name: "DeleteApiKey", nth })),
  ];
  test.each(STEPS.flatMap(({ name, nth }) => DEATHS.map((mode) => ({ name, nth, mode }))))(
    "refuses no call when $name $nth $mode, and is completed by the same command",
    async ({ mode, ...step }) => {
      const { ledger, fake, keyIds, services, watch } = await newMove();
      await die(step, mode, (intercept) =>
        movePlan(newRun(ledger, fake, intercept).services, "acme", "standard", watch.pause),
      );
      await watch.check();
      await movePlan(services, "acme", "standard", watch.pause);
      await watch.check();
      expect(fake.entered).toEqual(moved(keyIds));
    },
  );
});

describe("a key that is rotated", () => {
  const rotation = (keyId: string) => ({ keyId, graceMs: 2 * HOUR });

  test("is replaced by one like it, and works until its grace is over", async () => {
    const { ledger, fake, services, tenants } = await newWorld();
    const end = new Date(ledger.now + 100 * HOUR).toISOString();
    const old = await issueKey(services, { ...KEY, expiresAt: end });
    const shown: { keyId: string; apiKey: string; expiresAt: string | null }[] = [];
    const until = await rotateKey(services, rotation(old.keyId), (issued) => shown.push(issued));
    expect(until).toBe(new Date(ledger.now + 2 * HOUR).toISOString());
    const [issued] = shown;
    expect(shown).toMatchObject([{ tenantId: "acme", scopes: ["attest"], expiresAt: end }]);
    expect(fake.entered).toHaveLength(2);
    for (const { apiKey } of [old, ...shown]) await tenants.authenticate(apiKey);
    ledger.now += 2 * HOUR;
    await tenants.authenticate(issued?.apiKey ?? "");
    await expect(tenants.authenticate(old.apiKey)).rejects.toMatchObject({ code: "forbidden" });
  });

  test("is shown before the old one is given an end: a crash costs nobody a working key", async () => {
    const { ledger, fake, services, tenants } = await newWorld();
    const old = await issueKey(services, KEY);
    const shown: string[] = [];
    await die({ name: "UpdateItem", nth: 1 }, DEATHS[0], (intercept) =>
      rotateKey(newRun(ledger, fake, intercept).services, rotation(old.keyId), ({ apiKey }) =>
        shown.push(apiKey),
      ),
    );
    ledger.now += 3 * HOUR;
    for (const apiKey of [old.apiKey, ...shown]) await tenants.authenticate(apiKey);
    expect(shown).toHaveLength(1);
  });

  test("must work still", async () => {
    const { ledger, services } = await newWorld();
    const revoked = await issueKey(services, KEY);
    await revokeKey(services, revoked.keyId);
    const ended = await issueKey(services, { ...KEY, expiresAt: new Date(ledger.now).toISOString() });
    for (const { keyId } of [revoked, ended]) {
      const rotating = rotateKey(services, rotation(keyId), () => expect.unreachable("a key was shown"));
      await expect(rotating).rejects.toMatchObject({ code: "invalid_request" });
    }
    expect(await listKeys(services, "acme")).toHaveLength(2);
  });
});

test("a key that is revoked is refused at once, and leaves API Gateway even after a crash", async () => {
  const { ledger, fake, services, tenants } = await newWorld();
  await services.registry.setPlan("acme", "standard");
  const { keyId, apiKey } = await issueKey(services, KEY);
  await die({ name: "DeleteApiKey", nth: 1 }, DEATHS[0], (intercept) =>
    revokeKey(newRun(ledger, fake, intercept).services, keyId),
  );
  await expect(tenants.authenticate(apiKey)).rejects.toMatchObject({ code: "forbidden" });
  await revokeKey(services, keyId);
  expect(fake.keys.size).toBe(0);
});
