// The timestamp authority at its worst: attestations succeed all the same, and seals get their token once it recovers.
import { randomBytes } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import { PENDING_TIMESTAMP } from "../../evidence/core/formats/metachain.ts";
import { ApiClient, disclosure } from "../support/api-client.ts";
import { startLocalStack } from "../support/local-stack.ts";
import { PATIENCE_MS } from "../support/patience.ts";
import { newIdentity, replyWith, silence, stampingAs, TestAuthority } from "../support/test-authority.ts";

const CALLS = 5;
/** An authority that failed is left alone for five seconds. */

const HTML = { status: 200, headers: { "content-type": "text/html" }, body: "<h1>Welcome</h1>" };

const startWith = async (
  authorities: readonly TestAuthority[],
  caFile: string,
  more: Readonly<Record<string, string>> = {},
): Promise<ApiClient> => {
  const urls = authorities.map(({ url }) => url).join(", ");
  const environment = { SEAL_INTERVAL_SECONDS: "1", TSA_URLS: urls, TSA_CA_FILE: caFile, ...more };
  return new ApiClient(await startLocalStack({ environment }));
};

/** A call is answered though its timestamp is pending, and so is the seal. */
async function expectPending(api: ApiClient): Promise<ComplianceReceipt> {
  const answer = await api.attest(disclosure());
  expect(answer.tsa_timestamp).toEqual(PENDING_TIMESTAMP);
  expect(answer.merkle_proof.status).toBe("pending");
  expect((await api.verifyInclusion(answer)).valid).toBe(true);
  expect((await api.report(answer.event_id)).tsa_timestamp).toEqual(PENDING_TIMESTAMP);
  expect((await api.metachain()).size).toBe(0);
  return answer;
}

/** The receipt gets its published root and token after all, and new calls get theirs at once. */
async function expectRecovery(api: ApiClient, { event_id, receipts }: ComplianceReceipt): Promise<void> {
  const report = await api.includedReport(event_id);
  expect(report.receipts).toEqual(receipts);
  expect(report.tsa_timestamp.status).toBe("included");
  const { checks } = await api.verifyPublished(report, disclosure());
  expect(checks.filter(({ ok }) => ok !== true)).toEqual([]);
  expect(await api.faultsOfSeals()).toEqual([]);
  const later = async () => expect((await api.attest(disclosure())).tsa_timestamp.status).toBe("included");
  await vi.waitFor(later, { timeout: PATIENCE_MS, interval: 500 });
}

describe.concurrent("attestations succeed, pending, and are sealed later, where the authority", () => {
  test("is down", async () => {
    const authority = await TestAuthority.start();
    await authority.stop();
    const api = await startWith([authority], authority.caFile);
    const answer = await expectPending(api);
    await authority.restart();
    await expectRecovery(api, answer);
  });

  test("never answers, and is not waited for by every call", async () => {
    const authority = await TestAuthority.start();
    authority.behave(silence);
    const api = await startWith([authority], authority.caFile);
    const answer = await expectPending(api);
    // It rests for longer after each failure: however slow this machine is, it can't be asked by all of these calls.
    const roots: Buffer[] = [];
    for (let call = 0; call < CALLS; call++) {
      const { merkle_proof } = await api.attest(disclosure());
      roots.push(Buffer.from(merkle_proof.merkle_root.slice(2), "hex"));
    }
    const asked = roots.filter((root) => authority.requests.some((request) => request.includes(root)));
    expect(asked.length).toBeLessThan(CALLS);
    authority.recover();
    await expectRecovery(api, answer);
  });

  test("answers nonsense, and so do those after it", async () => {
    const authority = await TestAuthority.start();
    const others = await Promise.all([TestAuthority.start(), TestAuthority.start(), TestAuthority.start()]);
    const nonsense = [
      () => replyWith(randomBytes(500)),
      () => replyWith(""),
      () => HTML,
      () => ({ status: 500 }),
    ];
    for (const [i, other] of [authority, ...others].entries()) other.behave(nonsense[i] ?? silence);
    const api = await startWith([authority, ...others], authority.caFile);
    const answer = await expectPending(api);
    for (const { requests } of [authority, ...others]) expect(requests.length).toBeGreaterThan(0);
    authority.recover();
    await expectRecovery(api, answer);
  });

  test("forges tokens: right in every byte, but signed by a stranger of the same name", async () => {
    const authority = await TestAuthority.start();
    authority.behave(stampingAs(newIdentity()));
    const api = await startWith([authority], authority.caFile);
    const answer = await expectPending(api);
    expect(authority.requests.length).toBeGreaterThan(0);
    authority.recover();
    await expectRecovery(api, answer);
  });
});

test("takes the token of the second authority where the first is down, in the call and in the seal", async () => {
  const [down, up] = await Promise.all([TestAuthority.start(), TestAuthority.start()]);
  await down.stop();
  const api = await startWith([down, up], up.caFile, { TSA_INLINE_BUDGET_MS: "20000" });
  const answer = await api.attest(disclosure());
  expect(answer.tsa_timestamp).toMatchObject({ status: "included", tsa_url: up.url });
  const report = await api.includedReport(answer.event_id);
  expect(report.tsa_timestamp.tsa_url).toBe(up.url);
  expect((await api.verifyPublished(report)).valid).toBe(true);
});
