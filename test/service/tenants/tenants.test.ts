// Tenants and API keys: what is stored of a key, and whom it opens for.
import { createHash } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { MAX_CHAINS } from "../../../contract/limits.ts";
import { MAX_SHARD } from "../../../evidence/core/formats/event-id.ts";
import { chainOf, listChains, shardOf } from "../../../service/ledger/tenant-chains.ts";
import { apiKeyKey } from "../../../service/table/keys.ts";
import { ApiKeys } from "../../../service/tenants/api-keys.ts";
import { TenantRegistry } from "../../../service/tenants/tenant-registry.ts";
import { Tenants } from "../../../service/tenants/tenants.ts";
import { HOUR, startLedgerStack } from "../../support/ledger-stack.ts";
import { readItem } from "../../support/tamper.ts";
import { ascending } from "../../support/trees.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

async function newWorld() {
  const ledger = await stack.newLedger();
  const { table } = ledger.newProcess();
  const tenants = new Tenants(table, ledger.clock);
  const registry = new TenantRegistry(table, ledger.clock);
  const keys = new ApiKeys(table, ledger.clock);
  await registry.create({ tenantId: "tenant", plan: "gold", chains: 3 });
  const createKey = async (expiresAt: string | null = null) =>
    (await keys.create({ tenantId: "tenant", scopes: ["attest"], expiresAt })).apiKey;
  return { ledger, tenants, registry, keys, createKey };
}

const keyIdOf = (apiKey: string): string => apiKey.split("_")[2] ?? "";
const textsOf = ({ pk, sk }: { pk: { S: string }; sk: { S: string } }): [string, string] => [pk.S, sk.S];

test("a key opens for its tenant, with its scopes, the plan and the chains", async () => {
  const { tenants, createKey } = await newWorld();
  const apiKey = await createKey();
  const caller = await tenants.authenticate(apiKey);
  expect(caller).toMatchObject({
    tenantId: "tenant",
    plan: "gold",
    scopes: ["attest"],
    keyId: keyIdOf(apiKey),
  });
  const ids = listChains(caller).map(({ chainId }) => chainId);
  expect(new Set(ids).size).toBe(3);
  for (const chainId of ids) expect(chainId).toMatch(/^[0-9a-f]{32}$/);
});

test("of a key only the hash of its secret is stored", async () => {
  const { ledger, createKey } = await newWorld();
  const apiKey = await createKey();
  const secret = apiKey.split("_")[3] ?? "";
  const item = await readItem(ledger, textsOf(apiKeyKey(keyIdOf(apiKey))));
  expect(JSON.stringify(item)).not.toContain(secret);
  expect(Buffer.from(item.secret_hash?.B ?? [])).toEqual(createHash("sha256").update(secret).digest());
});

test("a wrong secret, an unknown key and what is no key are all equally unknown", async () => {
  const { tenants, createKey } = await newWorld();
  const apiKey = await createKey();
  const lastDigit = apiKey.endsWith("0") ? "1" : "0";
  const wrong = [
    apiKey.slice(0, -1) + lastDigit,
    apiKey.replace(keyIdOf(apiKey), "0".repeat(20)),
    apiKey.replace("live", "test"),
    apiKey.toUpperCase(),
    `${apiKey} `,
    `${apiKey}\n`,
    "",
  ];
  for (const candidate of wrong) {
    const refusal = { code: "unauthorized", message: "the API key is unknown" };
    await expect(tenants.authenticate(candidate), candidate).rejects.toMatchObject(refusal);
  }
});

test("a revoked key is refused, and to revoke it again changes nothing", async () => {
  const { ledger, tenants, keys, createKey } = await newWorld();
  const [revoked, other] = [await createKey(), await createKey()];
  await keys.revoke(keyIdOf(revoked));
  const item = await readItem(ledger, textsOf(apiKeyKey(keyIdOf(revoked))));
  ledger.now += HOUR;
  await keys.revoke(keyIdOf(revoked));
  expect(await readItem(ledger, textsOf(apiKeyKey(keyIdOf(revoked))))).toEqual(item);
  await expect(tenants.authenticate(revoked)).rejects.toMatchObject({ code: "forbidden" });
  await expect(tenants.authenticate(other)).resolves.toMatchObject({ tenantId: "tenant" });
});

test("to revoke a key that there is not is an error, and makes none", async () => {
  const { keys } = await newWorld();
  for (let attempt = 0; attempt < 2; attempt++) {
    await expect(keys.revoke("0".repeat(20))).rejects.toMatchObject({ code: "not_found" });
  }
});

test("a key opens until the instant at which it expires", async () => {
  const { ledger, tenants, createKey } = await newWorld();
  const apiKey = await createKey(new Date(ledger.now + HOUR).toISOString());
  ledger.now += HOUR - 1;
  await expect(tenants.authenticate(apiKey)).resolves.toMatchObject({ tenantId: "tenant" });
  ledger.now += 1;
  await expect(tenants.authenticate(apiKey)).rejects.toMatchObject({ code: "forbidden" });
});

test("an expiry that can't be read counts as past", async () => {
  const { tenants, createKey } = await newWorld();
  await expect(tenants.authenticate(await createKey("next year"))).rejects.toMatchObject({
    code: "forbidden",
  });
});

test("a suspended tenant's keys are refused, but not before the right secret was shown", async () => {
  const { tenants, registry, createKey } = await newWorld();
  const apiKey = await createKey();
  await registry.suspend("tenant");
  await expect(tenants.authenticate(apiKey)).rejects.toMatchObject({ code: "forbidden" });
  const wrong = apiKey.slice(0, -1) + (apiKey.endsWith("0") ? "1" : "0");
  await expect(tenants.authenticate(wrong)).rejects.toMatchObject({ code: "unauthorized" });
  await registry.resume("tenant");
  await expect(tenants.authenticate(apiKey)).resolves.toMatchObject({ tenantId: "tenant" });
});

test("the rate of stamps in the call is the deployment's until the tenant has one, which may be none at all", async () => {
  const { tenants, registry, createKey } = await newWorld();
  const apiKey = await createKey();
  for (const rate of [null, 0, 120, null]) {
    await registry.setInlineStamps("tenant", rate);
    expect((await tenants.authenticate(apiKey)).inlineStampsPerMinute).toBe(rate);
  }
});

test("a tenant is created once, and its chains stay", async () => {
  const { tenants, registry, createKey } = await newWorld();
  const caller = await tenants.authenticate(await createKey());
  const again = registry.create({ tenantId: "tenant", plan: "other", chains: 1 });
  await expect(again).rejects.toMatchObject({ code: "invalid_request" });
  expect(listChains(await tenants.authenticate(await createKey()))).toEqual(listChains(caller));
});

test.each([0, -1, 1.5, 4097, Number.NaN])("a tenant of %d chains is refused", async (chains) => {
  const { registry } = await newWorld();
  const create = registry.create({ tenantId: "other", plan: "gold", chains });
  await expect(create).rejects.toMatchObject({ code: "invalid_request" });
});

test("a conversation falls on one of the tenant's chains, always the same one, and all of them are used", async () => {
  const { tenants, createKey } = await newWorld();
  const caller = await tenants.authenticate(await createKey());
  const chains = ascending(100, (i) => chainOf(caller, `call-${i}`));
  expect(ascending(100, (i) => chainOf(caller, `call-${i}`))).toEqual(chains);
  for (const chain of chains) expect(listChains(caller)[chain.shard]).toEqual(chain);
  expect(new Set(chains.map(({ shard }) => shard))).toEqual(new Set([0, 1, 2]));
  // SHA-256 of "abc" begins with these bytes (FIPS 180-4): no version of ours may move a conversation.
  expect(chainOf({ ...caller, chains: 7 }, "abc").shard).toBe(0xba7816bf % 7);
});

test("a chain has its shard where its tenant's number reaches it, whether or not it was looked for before", async () => {
  const { tenants, createKey } = await newWorld();
  const caller = await tenants.authenticate(await createKey());
  const many = listChains({ ...caller, chains: 40 });
  const other = { ...caller, tenantAnchor: "0".repeat(32), chains: 40 };
  for (const chains of [20, 40, 20]) {
    for (const { chainId, shard } of many) {
      expect(shardOf({ ...caller, chains }, chainId)).toBe(shard < chains ? shard : null);
      expect(shardOf(other, chainId)).toBeNull();
    }
  }
});

test("a tenant may have as many chains as an event id can name", () => {
  expect(MAX_CHAINS).toBe(MAX_SHARD + 1);
});
