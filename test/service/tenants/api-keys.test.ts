// What the table says of API keys: when they end, and why one can't be created.
import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { afterAll, expect, test } from "vitest";
import { ApiKeys } from "../../../service/tenants/api-keys.ts";
import { type Interceptor, undisturbed } from "../../support/faults.ts";
import { MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const [EARLY, LATE] = ["2030-01-01T00:00:00.000Z", "2031-01-01T00:00:00.000Z"];

async function newKeys(intercept: Interceptor = undisturbed) {
  const ledger = await stack.newLedger();
  const { tenantId } = await ledger.newTenant("acme");
  const keys = new ApiKeys(ledger.newProcess(intercept).table, ledger.clock);
  const create = (expiresAt: string | null) => keys.create({ tenantId, scopes: ["attest"], expiresAt });
  return { ledger, keys, create };
}

test.each([
  ["a key without an end gets one", null, LATE, LATE],
  ["a key that ends later ends earlier", LATE, EARLY, EARLY],
  ["a key that ends before anyway keeps its end", EARLY, LATE, EARLY],
])("%s", async (_title, before, given, after) => {
  const { keys, create } = await newKeys();
  const { keyId } = await create(before);
  await keys.expire(keyId, given);
  expect((await keys.get(keyId)).expiresAt).toBe(after);
});

test("a key that is revoked again keeps the instant at which it was first", async () => {
  const { ledger, keys, create } = await newKeys();
  const { keyId } = await create(null);
  const revokedAt = ledger.clock().toISOString();
  for (let i = 0; i < 2; i++) {
    await keys.revoke(keyId);
    expect((await keys.get(keyId)).revokedAt).toBe(revokedAt);
    ledger.now += MINUTE;
  }
});

test("a key that there is not can't be given an end, or revoked, and none comes of it", async () => {
  const { keys } = await newKeys();
  const calls = [() => keys.expire("nokey", LATE), () => keys.revoke("nokey"), () => keys.get("nokey")];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "not_found" });
});

test.each([
  ["the tenant is not there", "not_found", ["ConditionalCheckFailed", "None", "None"]],
  ["the key is there already", "ledger_contended", ["None", "ConditionalCheckFailed", "None"]],
])("where %s, no key is created: %s", async (_why, code, codes) => {
  const CancellationReasons = codes.map((Code) => ({ Code }));
  const { create } = await newKeys((call, send) => {
    if (call.name !== "TransactWriteItems") return send();
    throw new TransactionCanceledException({ $metadata: {}, message: "", CancellationReasons });
  });
  await expect(create(null)).rejects.toMatchObject({ code });
});
