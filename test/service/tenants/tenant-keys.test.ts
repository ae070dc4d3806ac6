// Keys of a tenant: they are in the table alone, and work as soon as they are there.
import { afterAll, describe, expect, test } from "vitest";
import { listKeys, rotateKey } from "../../../service/tenants/tenant-keys.ts";
import { DEATHS, die, newRun, newWorld } from "../../support/gateway-world.ts";
import { HOUR, startLedgerStack } from "../../support/ledger-stack.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const KEY = { tenantId: "acme", scopes: ["attest"], expiresAt: null } as const;

test("a key that is issued opens at once and is listed, and API Gateway is not asked", async () => {
  const { fake, keys, services, tenants } = await newWorld(stack);
  const before = fake.entered;
  const { keyId, apiKey } = await keys.create(KEY);
  expect(await tenants.authenticate(apiKey)).toMatchObject({ tenantId: "acme", keyId, plan: "trial" });
  expect(fake.entered).toEqual(before);
  expect(await listKeys(services, "acme")).toMatchObject([{ keyId, state: "active", scopes: ["attest"] }]);
});

test("one key of several is revoked, and the others work", async () => {
  const { fake, keys, services, tenants } = await newWorld(stack);
  const [revoked, other] = [await keys.create(KEY), await keys.create(KEY)];
  const before = fake.entered;
  await keys.revoke(revoked.keyId);
  await expect(tenants.authenticate(revoked.apiKey)).rejects.toMatchObject({ code: "forbidden" });
  await tenants.authenticate(other.apiKey);
  expect(fake.entered).toEqual(before);
  const states = new Map((await listKeys(services, "acme")).map(({ keyId, state }) => [keyId, state]));
  expect(states.get(revoked.keyId)).toBe("revoked");
  expect(states.get(other.keyId)).toBe("active");
});

describe("the list", () => {
  test("tells which keys have ended, were revoked, or open nothing because the tenant is not at API Gateway", async () => {
    const { ledger, fake, keys, services } = await newWorld(stack);
    const ended = await keys.create({ ...KEY, expiresAt: new Date(ledger.now + HOUR).toISOString() });
    const revoked = await keys.create(KEY);
    const good = await keys.create(KEY);
    await keys.revoke(revoked.keyId);
    ledger.now += 2 * HOUR;
    const statesNow = async () =>
      new Map((await listKeys(services, "acme")).map(({ keyId, state }) => [keyId, state]));
    const states = [
      [ended.keyId, "expired"],
      [revoked.keyId, "revoked"],
    ] as const;
    expect(await statesNow()).toEqual(new Map([...states, [good.keyId, "active"]]));
    fake.keys.clear();
    expect(await statesNow()).toEqual(new Map([...states, [good.keyId, "not_at_gateway"]]));
    expect(await listKeys({ ...services, gateway: null }, "acme")).toContainEqual(
      expect.objectContaining({ keyId: good.keyId, state: "active" }),
    );
  });
});

describe("a key that is rotated", () => {
  const rotation = (keyId: string) => ({ keyId, graceMs: 2 * HOUR });

  test("is replaced by one like it, and works until its grace is over", async () => {
    const { ledger, keys, services, tenants } = await newWorld(stack);
    const end = new Date(ledger.now + 100 * HOUR).toISOString();
    const old = await keys.create({ ...KEY, expiresAt: end });
    const shown: { keyId: string; apiKey: string; expiresAt: string | null }[] = [];
    const until = await rotateKey(services, rotation(old.keyId), (issued) => shown.push(issued));
    expect(until).toBe(new Date(ledger.now + 2 * HOUR).toISOString());
    const [issued] = shown;
    expect(shown).toMatchObject([{ tenantId: "acme", scopes: ["attest"], expiresAt: end }]);
    for (const { apiKey } of [old, ...shown]) await tenants.authenticate(apiKey);
    ledger.now += 2 * HOUR;
    await tenants.authenticate(issued?.apiKey ?? "");
    await expect(tenants.authenticate(old.apiKey)).rejects.toMatchObject({ code: "forbidden" });
  });

  test("is shown before the old one is given an end: a crash costs nobody a working key", async () => {
    const { ledger, fake, keys, tenants } = await newWorld(stack);
    const old = await keys.create(KEY);
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
    const { ledger, keys, services } = await newWorld(stack);
    const revoked = await keys.create(KEY);
    await keys.revoke(revoked.keyId);
    const ended = await keys.create({ ...KEY, expiresAt: new Date(ledger.now).toISOString() });
    for (const { keyId } of [revoked, ended]) {
      const rotating = rotateKey(services, rotation(keyId), () => expect.unreachable("a key was shown"));
      await expect(rotating).rejects.toMatchObject({ code: "invalid_request" });
    }
    expect(await listKeys(services, "acme")).toHaveLength(2);
  });
});
