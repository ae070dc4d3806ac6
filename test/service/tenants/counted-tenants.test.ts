// Tenants in the table and at API Gateway: whatever crashes when, the list shows all there is, no right call is refused,
// and the same command again leaves one key for each tenant.
import { afterAll, describe, expect, test } from "vitest";
import { usageKeyOf } from "../../../service/tenants/api-key-format.ts";
import {
  createTenant,
  listTenants,
  movePlan,
  resumeTenant,
  suspendTenant,
} from "../../../service/tenants/counted-tenants.ts";
import { FakeGateway } from "../../support/fake-gateway.ts";
import type { Step } from "../../support/faults.ts";
import { ACME, DEATHS, die, newRun, newWorld, STANDARD } from "../../support/gateway-world.ts";
import { startLedgerStack } from "../../support/ledger-stack.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const KEY = { tenantId: "acme", scopes: ["attest"], expiresAt: null } as const;
const TRIAL = { name: "trial", chains: 1 };
const IN_TRIAL = ["receipts_acme_trial in plan-trial"];
const IN_STANDARD = ["receipts_acme_standard in plan-standard"];
const noPause = async () => {};
const steps = (names: readonly string[]): Step[] => names.map((name) => ({ name, nth: 1 }));
const rowsOf = (rows: readonly Step[]) =>
  rows.flatMap(({ name, nth }) => DEATHS.map((mode) => ({ name, nth, mode })));

describe("a tenant that is created", () => {
  test("is let through under its plan, with one key however many it has of ours", async () => {
    const { fake, fingerprint, keys, services } = await newWorld(stack);
    for (let i = 0; i < 3; i++) await keys.create(KEY);
    expect(fake.entered).toEqual(IN_TRIAL);
    expect(fake.admits(usageKeyOf(fingerprint, "trial"))).toBe(true);
    await createTenant(services, ACME);
    expect(fake.entered).toEqual(IN_TRIAL);
    expect(await listTenants(services)).toMatchObject({ tenants: [{ isCounted: true }], deadKeys: [] });
  });

  test("is not counted where there is no API Gateway", async () => {
    const { fake, services } = await newWorld(stack);
    const local = { ...services, gateway: null };
    await createTenant(local, { ...ACME, tenantId: "other" });
    await movePlan(local, "other", STANDARD, async (what) => expect.unreachable(what));
    expect((await listTenants(local)).tenants.every(({ isCounted }) => isCounted)).toBe(true);
    expect(fake.entered).toEqual(IN_TRIAL);
  });

  test.each(rowsOf(steps(["TransactWriteItems", "CreateApiKey", "CreateUsagePlanKey"])))(
    "is listed, if anything of it is there, when $name $mode, and the same command completes it",
    async ({ mode, ...step }) => {
      const [ledger, fake] = [await stack.newLedger(), new FakeGateway()];
      await die(step, mode, (intercept) => createTenant(newRun(ledger, fake, intercept).services, ACME));
      const { services } = newRun(ledger, fake);
      const { tenants, deadKeys } = await listTenants(services);
      if (fake.keys.size > 0) expect(tenants).toHaveLength(1);
      expect(deadKeys).toEqual([]);
      await createTenant(services, ACME);
      expect(fake.entered).toEqual(IN_TRIAL);
    },
  );
});

describe("a tenant that is suspended", () => {
  test("leaves API Gateway, and comes back before its keys open again", async () => {
    const { ledger, fake, services } = await newWorld(stack);
    await suspendTenant(services, "acme");
    expect(fake.keys.size).toBe(0);
    expect(await listTenants(services)).toMatchObject({ tenants: [{ isCounted: true }], deadKeys: [] });
    await movePlan(services, "acme", STANDARD, async (what) => expect.unreachable(what));
    expect(fake.keys.size).toBe(0);
    const watched = newRun(ledger, fake, async (call, send) => {
      if (call.name === "UpdateItem") expect(fake.entered).toEqual(IN_STANDARD);
      return send();
    });
    await resumeTenant(watched.services, "acme");
    expect(fake.entered).toEqual(IN_STANDARD);
    expect((await services.registry.get("acme")).suspendedAt).toBeNull();
  });

  test.each(rowsOf(steps(["UpdateItem", "DeleteApiKey"])))(
    "is suspended by the same command when $name $mode, and the list shows what is left of it",
    async ({ mode, ...step }) => {
      const { ledger, fake, services } = await newWorld(stack);
      await die(step, mode, (intercept) => suspendTenant(newRun(ledger, fake, intercept).services, "acme"));
      const { tenants, deadKeys } = await listTenants(services);
      if (tenants[0]?.suspendedAt !== null) expect(deadKeys).toHaveLength(fake.keys.size);
      await suspendTenant(services, "acme");
      expect(fake.keys.size).toBe(0);
    },
  );
});

test("the list names keys by which nobody is counted, and setting the plan again takes them away", async () => {
  const { fake, services } = await newWorld(stack);
  fake.keys.clear();
  fake.answer("CreateApiKey", {
    name: "receipts_acme_gold",
    value: "of a plan that was removed",
    enabled: true,
  });
  fake.answer("CreateApiKey", { name: "receipts_gone_trial", value: "of no tenant", enabled: true });
  const { tenants, deadKeys } = await listTenants(services);
  expect(tenants).toMatchObject([{ tenantId: "acme", isCounted: false }]);
  expect([...deadKeys].sort()).toEqual(["receipts_acme_gold", "receipts_gone_trial"]);
  await movePlan(services, "acme", TRIAL, noPause);
  expect(await listTenants(services)).toMatchObject({
    tenants: [{ isCounted: true }],
    deadKeys: ["receipts_gone_trial"],
  });
});

describe("a plan that changes", () => {
  /** The tenant is let through by every name that the authorizer, or its cache, may give it. */
  function watch(fake: FakeGateway, fingerprint: string, planNow: () => Promise<string>) {
    const state = { cached: "trial", seen: 0 };
    const check = async (): Promise<void> => {
      for (const plan of new Set([state.cached, await planNow()]))
        expect(fake.admits(usageKeyOf(fingerprint, plan)), `under ${plan}`).toBe(true);
      state.seen++;
    };
    const pause = async (): Promise<void> => {
      await check();
      fake.learn();
      state.cached = await planNow();
    };
    return { state, check, pause };
  }

  async function newMove() {
    const world = await newWorld(stack);
    await world.keys.create(KEY);
    const planNow = async () => (await world.registry.get("acme")).plan;
    return { ...world, watched: watch(world.fake, world.fingerprint, planNow) };
  }

  test("refuses no call at any step, and leaves nothing in the old plan", async () => {
    const { ledger, fake, registry, watched } = await newMove();
    const { services } = newRun(ledger, fake, async (_call, send) => {
      await watched.check();
      const answer = await send();
      await watched.check();
      return answer;
    });
    await movePlan(services, "acme", STANDARD, watched.pause);
    await watched.check();
    expect(watched.state.seen).toBeGreaterThan(10);
    expect((await registry.get("acme")).plan).toBe("standard");
    expect(fake.entered).toEqual(IN_STANDARD);
  });

  test("gives the tenant the chains of the next plan, and takes none away", async () => {
    const { registry, services } = await newMove();
    await movePlan(services, "acme", STANDARD, noPause);
    expect((await registry.get("acme")).chains).toBe(8);
    await movePlan(services, "acme", TRIAL, noPause);
    expect(await registry.get("acme")).toMatchObject({ plan: "trial", chains: 8 });
  });

  test("waits for nobody where the tenant has no key that works", async () => {
    const { fake, keys, services } = await newWorld(stack);
    await keys.revoke((await keys.create(KEY)).keyId);
    await movePlan(services, "acme", STANDARD, async (what) => expect.unreachable(what));
    expect(fake.entered).toEqual(IN_STANDARD);
  });

  test("that is changed back meanwhile leaves the tenant in the plan that counts", async () => {
    const { fake, registry, services } = await newMove();
    await movePlan(services, "acme", STANDARD, async (what) => {
      if (what.includes("old plan")) await movePlan(services, "acme", TRIAL, noPause);
    });
    expect((await registry.get("acme")).plan).toBe("trial");
    expect(fake.entered).toEqual(IN_TRIAL);
  });

  test.each(["CreateApiKey", "CreateUsagePlanKey"])(
    "leaves no key behind where API Gateway refuses %s",
    async (refused) => {
      const { ledger, fake, registry, services, watched } = await newMove();
      const failing = newRun(ledger, fake, async (call, send) => {
        if (call.name === refused && call.nth === 1) throw new Error("no");
        return send();
      });
      const moving = movePlan(failing.services, "acme", STANDARD, watched.pause);
      await expect(moving).rejects.toMatchObject({ code: "gateway_unavailable" });
      await watched.check();
      expect((await registry.get("acme")).plan).toBe("trial");
      expect(fake.entered).toEqual(IN_TRIAL);
      await movePlan(services, "acme", STANDARD, watched.pause);
      expect(fake.entered).toEqual(IN_STANDARD);
    },
  );

  const STEPS: Step[] = [
    ...steps(["CreateApiKey", "CreateUsagePlanKey", "UpdateItem"]),
    { name: "UpdateItem", nth: 2 },
    ...steps(["DeleteApiKey"]),
  ];
  test.each(rowsOf(STEPS))(
    "refuses no call when $name $nth $mode, and is completed by the same command",
    async ({ mode, ...step }) => {
      const { ledger, fake, registry, services, watched } = await newMove();
      const isDead = await die(step, mode, (intercept) =>
        movePlan(newRun(ledger, fake, intercept).services, "acme", STANDARD, watched.pause),
      );
      expect(isDead).toBe(true);
      await watched.check();
      expect((await listTenants(services)).tenants).toMatchObject([{ isCounted: true }]);
      await movePlan(services, "acme", STANDARD, watched.pause);
      await watched.check();
      expect(await registry.get("acme")).toMatchObject({ plan: "standard", chains: 8 });
      expect(fake.entered).toEqual(IN_STANDARD);
    },
  );
});

test("after runs that met and died anywhere, one command leaves one key and nothing dead", async () => {
  const { ledger, fake, keys, services } = await newWorld(stack);
  await keys.create(KEY);
  const commands = [
    (run: typeof services) => movePlan(run, "acme", STANDARD, noPause),
    (run: typeof services) => movePlan(run, "acme", TRIAL, noPause),
    (run: typeof services) => suspendTenant(run, "acme"),
    (run: typeof services) => resumeTenant(run, "acme"),
  ];
  for (let round = 0; round < 24; round++) {
    // Two at once, of which one dies after some calls.
    let left = round % 12;
    const dying = newRun(ledger, fake, (_call, send) =>
      left-- > 0 ? send() : Promise.reject(new Error("the process died")),
    );
    const [first, second] = [commands[round % 4], commands[(round * 7 + 1) % 4]];
    await Promise.allSettled([first?.(dying.services), second?.(services)]);
  }
  await resumeTenant(services, "acme");
  await movePlan(services, "acme", STANDARD, noPause);
  expect(fake.entered).toEqual(IN_STANDARD);
  expect(await listTenants(services)).toMatchObject({ tenants: [{ isCounted: true }], deadKeys: [] });
});
