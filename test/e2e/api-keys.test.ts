// What a key may do. The keys are made in the stack's own table; for the local stack that is on an engine from outside,
// so this is also the test of DYNAMODB_ENDPOINT.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import type { Scope } from "../../service/tenants/tenants.ts";
import { ApiClient, disclosure, readProblem } from "../support/api-client.ts";
import { expectGatewayProblem, type OperatedTarget, startOperatedTarget } from "../support/target.ts";

const BOTH: readonly Scope[] = ["attest", "report"];
const FORBIDDEN = { status: 403, type: "/v1/problems#forbidden" };

let target: OperatedTarget;
let api: ApiClient;
let answer: ComplianceReceipt;

beforeAll(async () => {
  target = await startOperatedTarget();
  api = target.api;
  answer = await api.attest(disclosure());
});

afterAll(() => target?.close());

const newKey = (scopes?: readonly Scope[], expiresAt?: string): Promise<string> =>
  newKeyOf(target.tenantId, scopes, expiresAt);
const newKeyOf = async (tenantId: string, scopes = BOTH, expiresAt: string | null = null): Promise<string> =>
  (await target.keys.create({ tenantId, scopes, expiresAt })).apiKey;
/** A tenant of some other name, of which the deployed stack may have many. */
async function newTenant(chains: number): Promise<string> {
  const tenantId = `other-${randomUUID()}`;
  await target.registry.create({ tenantId, plan: "local", chains });
  return tenantId;
}
const keyIdOf = (apiKey: string): string => apiKey.split("_")[2] ?? "";

const attestWith = (key: string): Promise<Response> =>
  api.post("/v1/attestation", JSON.stringify(disclosure()), { key });
const reportWith = (key: string): Promise<Response> =>
  api.call("GET", `/v1/attestation/${answer.event_id}`, { key });
const bundleWith = (key: string): Promise<Response> =>
  api.call("GET", `/v1/interactions/${disclosure().interaction_id}`, { key });

/** No call of a test that is refused has made a receipt. */
async function expectNothingAttested(): Promise<void> {
  const { receipts } = await api.attest(disclosure());
  expect(receipts[0]?.sequence).toBe((answer.receipts[0]?.sequence ?? Number.NaN) + 1);
  answer = { ...answer, receipts };
}

test("opens every call of its tenant with a further key that has both scopes", async () => {
  const key = await newKey(BOTH, new Date(Date.now() + 3_600_000).toISOString());
  expect((await reportWith(key)).status).toBe(200);
  expect((await bundleWith(key)).status).toBe(200);
});

test("refuses a key that was revoked", async () => {
  const key = await newKey();
  await target.keys.revoke(keyIdOf(key));
  for (const call of [attestWith, reportWith, bundleWith]) {
    await expectGatewayProblem(await call(key), { ...FORBIDDEN, detail: "the API key was revoked" });
  }
  await expectNothingAttested();
});

test("refuses a key that has expired", async () => {
  const key = await newKey(BOTH, new Date(Date.now() - 1).toISOString());
  await expectGatewayProblem(await attestWith(key), { ...FORBIDDEN, detail: "the API key has expired" });
  await expectNothingAttested();
});

test("lets a key without the scope attest read reports only, and one without report attest only", async () => {
  const [reader, writer] = await Promise.all([newKey(["report"]), newKey(["attest"])]);
  const refused = await readProblem(await attestWith(reader));
  expect(refused).toMatchObject({ ...FORBIDDEN, detail: 'the API key lacks the scope "attest"' });
  expect((await reportWith(reader)).status).toBe(200);
  for (const call of [reportWith, bundleWith]) {
    expect(await readProblem(await call(writer))).toMatchObject(FORBIDDEN);
  }
  await expectNothingAttested();
});

test("tells a tenant nothing of another's: its events and conversations are not found", async () => {
  const key = await newKeyOf(await newTenant(2));
  const none = await api.call("GET", "/v1/attestation/00000000-0000-8000-8000-000000000000", { key });
  const { instance: _none, ...expected } = await readProblem(none);
  expect(expected).toMatchObject({ status: 404, type: "/v1/problems#not-found" });
  const { instance: _other, ...actual } = await readProblem(await reportWith(key));
  expect(actual).toEqual(expected);
  expect(await readProblem(await bundleWith(key))).toMatchObject({ status: 404 });

  const stranger = new ApiClient({ url: api.url, apiKey: key });
  const { receipts } = await stranger.attest(disclosure());
  expect(receipts[0]).toMatchObject({ sequence: 0, turn: 1, previous_turn_hash: null });
  expect(receipts[0]?.chain_id).not.toBe(answer.receipts[0]?.chain_id);
  await expectNothingAttested();
});

test("shares an Idempotency-Key with no other tenant", async () => {
  const apiKey = await newKeyOf(await newTenant(1));
  const headers = { "idempotency-key": "same" };
  const third = await new ApiClient({ url: api.url, apiKey }).attest(
    disclosure({ modality: "chat" }),
    headers,
  );
  const ours = await api.attest(disclosure(), headers);
  expect(ours.event_id).not.toBe(third.event_id);
});
