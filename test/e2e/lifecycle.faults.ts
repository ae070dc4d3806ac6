// How the stack ends, and what the next one finds: asked to stop it answers what is under way, leaves nothing running
// and keeps its data; and several stacks don't know of each other.
import { describe, expect, test } from "vitest";
import { ApiClient, disclosure } from "../support/api-client.ts";
import { startLocalStack } from "../support/local-stack.ts";
import { silence, TestAuthority } from "../support/test-authority.ts";

const CALLS = [1, 2, 3, 4, 5, 6, 7, 8] as const;

describe("asked to stop, the stack", () => {
  test.each(["SIGTERM", "SIGINT"] as const)(
    "ends with 0 and leaves nothing running, by %s",
    async (signal) => {
      const stack = await startLocalStack();
      const { code, stderr } = await stack.stop(signal);
      expect([code, stderr]).toEqual([0, ""]);
      await expect(fetch(stack.url)).rejects.toThrow();
    },
  );

  test("still answers the calls that are under way", async () => {
    const authority = await TestAuthority.start();
    authority.behave(silence);
    const trust = { TSA_URLS: authority.url, TSA_CA_FILE: authority.caFile };
    const stack = await startLocalStack({ environment: trust });
    const api = new ApiClient(stack);
    const calls = CALLS.map((i) => api.attest(disclosure({ interaction_id: `call-${i}` })));
    // The first of them is in the ledger and waits for its timestamp; others wait for their place in the ledger.
    await expect.poll(() => authority.requests.length).toBeGreaterThan(0);
    const exit = stack.stop();
    authority.recover();
    const answers = await Promise.all(calls);
    expect(new Set(answers.map(({ event_id }) => event_id)).size).toBe(CALLS.length);
    expect(await exit).toMatchObject({ code: 0 });
  });

  test("does not wait for an authority that never answers", async () => {
    const authority = await TestAuthority.start();
    authority.behave(silence);
    const trust = { TSA_URLS: authority.url, TSA_CA_FILE: authority.caFile };
    const stack = await startLocalStack({ environment: { ...trust, SEAL_INTERVAL_SECONDS: "1" } });
    await new ApiClient(stack).attest(disclosure());
    await expect.poll(() => authority.requests.length).toBeGreaterThan(1);
    // The authority stays silent: a stack that waited for it would not end, and neither would this test.
    expect((await stack.stop()).code).toBe(0);
  });

  test("keeps its data and its key for the next start", async () => {
    const first = await startLocalStack({ environment: { SEAL_INTERVAL_SECONDS: "1" } });
    const { dataDir } = first;
    const answer = await new ApiClient(first).attest(disclosure());
    await first.stop();
    const second = await startLocalStack({ dataDir, environment: { SEAL_INTERVAL_SECONDS: "1" } });
    expect(second.apiKey).toBe(first.apiKey);
    const api = new ApiClient(second);
    expect((await api.report(answer.event_id)).receipts).toEqual(answer.receipts);
    const { receipts } = await api.attest(disclosure());
    expect(receipts[0]).toMatchObject({ sequence: 1, turn: 2 });
    const report = await api.includedReport(answer.event_id);
    expect((await api.verifyPublished(report)).valid).toBe(true);
  });
});

test("several stacks run side by side, each with its own key, chain and roots", async () => {
  const stacks = await Promise.all([1, 2, 3].map(() => startLocalStack()));
  const answers = await Promise.all(stacks.map((stack) => new ApiClient(stack).attest(disclosure())));
  expect(answers.map(({ receipts }) => receipts[0]?.sequence)).toEqual([0, 0, 0]);
  expect(new Set(answers.map(({ evidence_chain }) => evidence_chain.chain_id)).size).toBe(3);
  expect(new Set(stacks.map(({ apiKey }) => apiKey)).size).toBe(3);
  const [first, second] = stacks;
  const response = await fetch(`${first?.url}/v1/attestation/x`, {
    headers: { authorization: `Bearer ${second?.apiKey}` },
  });
  expect(response.status).toBe(401);
});
