// What a key may do. The keys are made in the stack's own table, on an engine that the test runs for it; so this is
// also the test of DYNAMODB_ENDPOINT.
import { join } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ComplianceReceipt } from "../../core/compliance-receipt.ts";
import { type DynamoDb, startDynamoDb } from "../../local/dynamodb.ts";
import { Table } from "../../service/table.ts";
import { type Scope, Tenants } from "../../service/tenants.ts";
import { ApiClient, disclosure, readProblem } from "../support/api-client.ts";
import { newFolder, startLocalStack } from "../support/local-stack.ts";

const TABLE_NAME = "disclosure-receipts";
const BOTH: readonly Scope[] = ["attest", "report"];
const FORBIDDEN = { status: 403, type: "/v1/problems#forbidden" };

let engine: DynamoDb;
let client: DynamoDBClient;
let tenants: Tenants;
let api: ApiClient;
let answer: ComplianceReceipt;

beforeAll(async () => {
  engine = await startDynamoDb({ file: join(newFolder(), "ledger.sqlite") });
  api = new ApiClient(await startLocalStack({ environment: { DYNAMODB_ENDPOINT: engine.endpoint } }));
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  client = new DynamoDBClient({ endpoint: engine.endpoint, region: "eu-central-1", credentials });
  tenants = new Tenants(new Table({ reader: client, writer: client }, TABLE_NAME), () => new Date());
  answer = await api.attest(disclosure());
});

afterAll(async () => {
  client?.destroy();
  await engine?.close();
});

const newKey = (scopes: readonly Scope[] = BOTH, expiresAt: string | null = null): Promise<string> =>
  tenants.createApiKey({ tenantId: "local", scopes, expiresAt });
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

it("opens every call of its tenant with a further key that has both scopes", async () => {
  const key = await newKey(BOTH, new Date(Date.now() + 3_600_000).toISOString());
  expect((await reportWith(key)).status).toBe(200);
  expect((await bundleWith(key)).status).toBe(200);
});

it("refuses a key that was revoked", async () => {
  const key = await newKey();
  await tenants.revokeApiKey(keyIdOf(key));
  for (const call of [attestWith, reportWith, bundleWith]) {
    expect(await readProblem(await call(key))).toMatchObject({
      ...FORBIDDEN,
      detail: "the API key was revoked",
    });
  }
  await expectNothingAttested();
});

it("refuses a key that has expired", async () => {
  const key = await newKey(BOTH, new Date(Date.now() - 1).toISOString());
  expect(await readProblem(await attestWith(key))).toMatchObject({
    ...FORBIDDEN,
    detail: "the API key has expired",
  });
  await expectNothingAttested();
});

it("lets a key without the scope attest read reports only, and one without report attest only", async () => {
  const [reader, writer] = await Promise.all([newKey(["report"]), newKey(["attest"])]);
  const refused = await readProblem(await attestWith(reader));
  expect(refused).toMatchObject({ ...FORBIDDEN, detail: 'the API key lacks the scope "attest"' });
  expect((await reportWith(reader)).status).toBe(200);
  for (const call of [reportWith, bundleWith]) {
    expect(await readProblem(await call(writer))).toMatchObject(FORBIDDEN);
  }
  await expectNothingAttested();
});

it("tells a tenant nothing of another's: its events and conversations are not found", async () => {
  await tenants.createTenant({ tenantId: "other", plan: "local", chains: 2 });
  const key = await tenants.createApiKey({ tenantId: "other", scopes: BOTH, expiresAt: null });
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

it("shares an Idempotency-Key with no other tenant", async () => {
  await tenants.createTenant({ tenantId: "third", plan: "local", chains: 1 });
  const apiKey = await tenants.createApiKey({ tenantId: "third", scopes: BOTH, expiresAt: null });
  const headers = { "idempotency-key": "same" };
  const third = await new ApiClient({ url: api.url, apiKey }).attest(
    disclosure({ modality: "chat" }),
    headers,
  );
  const ours = await api.attest(disclosure(), headers);
  expect(ours.event_id).not.toBe(third.event_id);
});
