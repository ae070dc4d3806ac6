// What an operator does to tenants and their keys in the table: lists without scans, and calls that may be repeated.
import { afterAll, expect, test } from "vitest";
import { newApiKey } from "../../../service/tenants/api-key-format.ts";
import { ApiKeys } from "../../../service/tenants/api-keys.ts";
import { TenantRegistry } from "../../../service/tenants/tenant-registry.ts";
import { faultAt, type Interceptor, undisturbed } from "../../support/faults.ts";
import { HOUR, type Ledger, startLedgerStack } from "../../support/ledger-stack.ts";
import { keysUnder } from "../../support/tamper.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

function open(ledger: Ledger, intercept: Interceptor = undisturbed) {
  const { table, calls } = ledger.newProcess(intercept);
  return {
    calls,
    registry: new TenantRegistry(table, ledger.clock),
    keys: new ApiKeys(table, ledger.clock),
  };
}

async function newWorld() {
  const ledger = await stack.newLedger();
  return { ledger, ...open(ledger) };
}

const ACME = { tenantId: "acme", plan: "gold", chains: 2 };

test("a tenant that is created again as it is stays the one that it was", async () => {
  const { registry } = await newWorld();
  const first = await registry.create(ACME);
  expect(first).toMatchObject({ tenantId: "acme", plan: "gold", suspendedAt: null });
  expect(first.chains).toBe(2);
  expect(await registry.create(ACME)).toEqual(first);
  expect(await registry.list()).toEqual([first]);
});

test.each([
  { ...ACME, plan: "other" },
  { ...ACME, chains: 3 },
])("a tenant that exists otherwise is refused, and not changed: %j", async (other) => {
  const { registry } = await newWorld();
  const first = await registry.create(ACME);
  await expect(registry.create(other)).rejects.toMatchObject({ code: "invalid_request" });
  expect(await registry.list()).toEqual([first]);
});

test("two runs that create one tenant at the same time agree on its chains", async () => {
  const { ledger } = await newWorld();
  const runs = Array.from({ length: 8 }, () => open(ledger).registry.create(ACME));
  const created = await Promise.all(runs);
  expect(new Set(created.map(({ fingerprint }) => fingerprint)).size).toBe(1);
});

test.each(["fails after taking effect", "is throttled", "fails"] as const)(
  "a write that %s leaves one tenant with one set of chains",
  async (mode) => {
    const { ledger, registry } = await newWorld();
    const step = { name: "TransactWriteItems", nth: 1 };
    const intercept = faultAt(step, mode, { rival: async () => {}, died: () => {} });
    const disturbed = await open(ledger, intercept)
      .registry.create(ACME)
      .catch(() => null);
    const tenant = await registry.create(ACME);
    if (disturbed !== null) expect(disturbed).toEqual(tenant);
    expect(await keysUnder(ledger, "tenant")).toEqual([
      ["tenant#acme", "-"],
      ["tenants", "acme"],
    ]);
  },
);

test("all tenants are listed by their ids, and nothing is scanned for it", async () => {
  const { ledger, registry } = await newWorld();
  const ids = Array.from({ length: 120 }, (_, i) => `tenant-${String(i).padStart(3, "0")}`);
  for (const tenantId of ids.toReversed()) await registry.create({ ...ACME, tenantId });
  const run = open(ledger);
  expect((await run.registry.list()).map(({ tenantId }) => tenantId)).toEqual(ids);
  expect(new Set(run.calls.steps.map(({ name }) => name))).toEqual(new Set(["Query", "BatchGetItem"]));
});

test.each(["meets a TransactionConflict", "is throttled"] as const)(
  "a write that %s says that it is to be tried again, and not that something is missing",
  async (mode) => {
    const { ledger, registry } = await newWorld();
    const run = (nth: number) =>
      open(
        ledger,
        faultAt({ name: "TransactWriteItems", nth }, mode, { rival: async () => {}, died: () => {} }),
      );
    await expect(run(1).registry.create(ACME)).rejects.toMatchObject({ code: "ledger_contended" });
    expect(await registry.list()).toEqual([]);
    await registry.create(ACME);
    const key = { tenantId: "acme", scopes: ["attest"], expiresAt: null } as const;
    await expect(run(1).keys.create(key)).rejects.toMatchObject({ code: "ledger_contended" });
  },
);

test("a tenant is suspended from the first time on, until it is resumed", async () => {
  const { ledger, registry } = await newWorld();
  await registry.create(ACME);
  const since = ledger.clock().toISOString();
  await registry.suspend("acme");
  ledger.now += HOUR;
  await registry.suspend("acme");
  expect((await registry.get("acme")).suspendedAt).toBe(since);
  await registry.resume("acme");
  await registry.resume("acme");
  expect((await registry.get("acme")).suspendedAt).toBeNull();
});

test("a request to resume that arrives late ends no later suspension", async () => {
  const { ledger, registry } = await newWorld();
  await registry.create(ACME);
  await registry.suspend("acme");
  const [arrival, planned] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = open(ledger, async (call, send) => {
    if (call.name !== "UpdateItem") return send();
    planned.resolve();
    await arrival.promise;
    return send();
  });
  const late = held.registry.resume("acme");
  await planned.promise;
  await registry.resume("acme");
  ledger.now += HOUR;
  await registry.suspend("acme");
  arrival.resolve();
  await late;
  expect((await registry.get("acme")).suspendedAt).toBe(ledger.clock().toISOString());
});

test("nothing is done to a tenant that there is not, and none comes to be", async () => {
  const ledger = await stack.newLedger({ isSigned: false, hasLayer: false });
  const { registry, keys } = open(ledger);
  const attempts = [
    () => registry.get("nobody"),
    () => registry.suspend("nobody"),
    () => registry.resume("nobody"),
    () => registry.setPlan("nobody", "gold"),
    () => registry.setInlineStamps("nobody", 1),
    () => registry.setInlineStamps("nobody", null),
    () => registry.setPreview("nobody", true),
    () => registry.setPreview("nobody", false),
    () => keys.create({ tenantId: "nobody", scopes: ["attest"], expiresAt: null }),
    () => keys.expire(newApiKey().keyId, "2041-01-01T00:00:00.000Z"),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: "not_found" });
  expect(await keysUnder(ledger, "")).toEqual([]);
});

test("keys are listed with their tenant, oldest first, without their secrets", async () => {
  const { ledger, registry, keys } = await newWorld();
  for (const tenantId of ["acme", "other"]) await registry.create({ ...ACME, tenantId });
  const issued: string[] = [];
  for (let i = 0; i < 5; i++) {
    const { keyId } = await keys.create({ tenantId: "acme", scopes: ["report"], expiresAt: null });
    issued.push(keyId);
    ledger.now += 1;
  }
  await keys.create({ tenantId: "other", scopes: ["report"], expiresAt: null });
  const listed = await keys.list("acme");
  expect(listed.map(({ keyId }) => keyId)).toEqual(issued);
  expect(Object.keys(listed[0] ?? {}).sort()).toEqual([
    "createdAt",
    "expiresAt",
    "keyId",
    "revokedAt",
    "scopes",
    "tenantId",
  ]);
});

test("a key's end can be brought forward, and not put off", async () => {
  const { ledger, registry, keys } = await newWorld();
  await registry.create(ACME);
  const at = (hours: number) => new Date(ledger.now + hours * HOUR).toISOString();
  const { keyId } = await keys.create({ tenantId: "acme", scopes: ["attest"], expiresAt: null });
  for (const [asked, expected] of [
    [4, 4],
    [6, 4],
    [2, 2],
  ] as const) {
    await keys.expire(keyId, at(asked));
    expect((await keys.get(keyId)).expiresAt).toBe(at(expected));
  }
});

test("of two ends that two runs give a key at once, the earlier one stands", async () => {
  const { ledger, registry, keys } = await newWorld();
  await registry.create(ACME);
  const at = (hours: number) => new Date(ledger.now + hours * HOUR).toISOString();
  const { keyId } = await keys.create({ tenantId: "acme", scopes: ["attest"], expiresAt: null });
  let isOvertaken = false;
  const slow = open(ledger, async ({ name }, send) => {
    if (name === "UpdateItem" && !isOvertaken) {
      isOvertaken = true;
      await keys.expire(keyId, at(1));
    }
    return send();
  });
  await slow.keys.expire(keyId, at(24));
  expect((await keys.get(keyId)).expiresAt).toBe(at(1));
});
