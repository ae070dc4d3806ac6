// Events over the wire: the handlers of a local stack, whose bus is a stand-in of this test.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { EVENT_SCHEMAS } from "../../../evidence/core/formats/events.ts";
import { ApiClient, disclosure } from "../../support/api-client.ts";
import { type LocalStack, startLocalStack } from "../../support/local-stack.ts";
import { receipts } from "../../tools/cli/command-line.ts";

const PATIENCE = { timeout: 120_000, interval: 50 };
const PLANS = JSON.stringify({ tiny: { rate: 100, burst: 100, monthlyQuota: 1, chains: 1 } });

interface Entry {
  readonly EventBusName: string;
  readonly Source: string;
  readonly DetailType: keyof typeof EVENT_SCHEMAS;
  readonly Detail: string;
}
const entries: Entry[] = [];
const bus = createServer(async (request, response) => {
  const { Entries } = JSON.parse(Buffer.concat(await request.toArray()).toString());
  entries.push(...Entries);
  response.setHeader("content-type", "application/x-amz-json-1.1");
  response.end(JSON.stringify({ FailedEntryCount: 0, Entries: Entries.map(() => ({ EventId: "1" })) }));
});
const detailsOf = (type: Entry["DetailType"]): unknown[] =>
  entries
    .filter(({ DetailType }) => DetailType === type)
    .map(({ Detail }) => EVENT_SCHEMAS[type].parse(JSON.parse(Detail)));

let stack: LocalStack;
beforeAll(async () => {
  await new Promise<void>((ready) => bus.listen(0, "127.0.0.1", ready));
  const endpoint = `http://127.0.0.1:${(bus.address() as AddressInfo).port}`;
  const environment = { EVENT_BUS: "acme-bus", AWS_ENDPOINT_URL_EVENTBRIDGE: endpoint, PLANS };
  stack = await startLocalStack({ environment: { ...environment, SEAL_INTERVAL_SECONDS: "1" } });
});
afterAll(() => void bus.close());

test("a published seal is told as it is in the public log", async () => {
  const api = new ApiClient(stack);
  const { event_id } = await api.attest(disclosure());
  const { merkle_proof } = await api.includedReport(event_id);
  const index = merkle_proof.cross_tenant_proof?.seal_index ?? -1;
  await vi.waitFor(
    () => expect(detailsOf("SealPublished")).toContainEqual(expect.objectContaining({ seal_index: index })),
    PATIENCE,
  );
  const seal = await (await api.call("GET", `/v1/metachain/roots/${index}`, { key: null })).json();
  const { merkle_root, tree_size, receipt_count, sealed_at } = seal as Record<string, unknown>;
  expect(detailsOf("SealPublished")).toContainEqual({
    deployment: "disclosure-receipts",
    seal_index: index,
    tokens: 1,
    ...{ merkle_root, tree_size, receipt_count, sealed_at },
  });
  expect(entries[0]).toMatchObject({ EventBusName: "acme-bus", Source: "disclosure-receipts" });
});

test("a quota that is used up is told once, with the tenant and its plan", async () => {
  const admin = (...args: string[]) => receipts("admin", ...args, `--local=${stack.dataDir}`);
  await admin("tenant", "create", "acme", "--plan=tiny");
  const apiKey = (await admin("key", "create", "acme")).stdout.trim();
  const api = new ApiClient({ url: stack.url, apiKey });
  const statuses: number[] = [];
  for (let call = 0; call < 3; call++)
    statuses.push((await api.post("/v1/attestation", JSON.stringify(disclosure()))).status);
  expect(statuses).toEqual([200, 429, 429]);
  await vi.waitFor(() => expect(detailsOf("LimitReached")).toHaveLength(1), PATIENCE);
  expect(detailsOf("LimitReached")).toEqual([
    {
      deployment: "disclosure-receipts",
      tenant_id: "acme",
      plan: "tiny",
      limit: "monthly_quota",
      ends_at: expect.stringMatching(/-01T00:00:00\.000Z$/),
    },
  ]);
  expect(JSON.stringify(entries)).not.toContain(disclosure().interaction_id);
});
