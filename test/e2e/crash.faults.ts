// kill -9 while callers write, again and again on one data folder: whatever was acknowledged is there unchanged, and is billed once.
import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import type { AttestationRequest } from "../../evidence/core/formats/attestation-request.ts";
import { billSchema } from "../../evidence/core/formats/bill.ts";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import {
  hashReceiptCore,
  NO_PREVIOUS_HASH,
  type Receipt,
  withoutAuthentication,
} from "../../evidence/core/formats/receipt.ts";
import { formatDigest } from "../../evidence/core/merkle/hash.ts";
import { verifyBill } from "../../evidence/core/verify/verify-bill.ts";
import { ApiClient, disclosure, readProblem } from "../support/api-client.ts";
import { type LocalStack, newFolder, startLocalStack } from "../support/local-stack.ts";
import { PATIENCE_MS } from "../support/patience.ts";
import { silence, TestAuthority } from "../support/test-authority.ts";
import { ascending } from "../support/trees.ts";

const CALLERS = 64;
/** Each begins on what the one before left behind, at once. */
const ROUNDS = 4;
/** From the moment when the callers are well under way. A seal is due every second, so some kills come amid one. */
const LONGEST_WAIT_MS = 800;
const POLL_MS = 5;
const environment = { SEAL_INTERVAL_SECONDS: "1" };

/** A call with an Idempotency-Key of its own, and its receipt once one was acknowledged. */
interface Sent {
  readonly key: string;
  readonly request: AttestationRequest;
  receipt: Receipt | null;
}

const receiptOf = ({ receipts }: ComplianceReceipt): Receipt =>
  receipts[0] ?? expect.unreachable("a receipt is missing");
const linkOf = (receipt: Receipt): string => formatDigest(hashReceiptCore(withoutAuthentication(receipt)));

async function send(api: ApiClient, { key, request }: Sent): Promise<Receipt> {
  return receiptOf(await api.attest(request, { "idempotency-key": key }));
}

/** Calls until the service is gone. The last call of each caller stays unanswered. */
async function callUntilKilled(api: ApiClient, caller: number, calls: Sent[], isDead: () => boolean) {
  while (!isDead()) {
    const request = disclosure({
      interaction_id: `caller-${caller}`,
      agent_identity: `agent-${calls.length}`,
    });
    const call: Sent = { key: randomUUID(), request, receipt: null };
    calls.push(call);
    try {
      call.receipt = await send(api, call);
    } catch (error) {
      if (!isDead()) throw error;
    }
  }
}

/** Writes with all callers, and kills the stack in the midst of it. */
async function writeAndKill(stack: LocalStack, calls: Sent[]): Promise<void> {
  let isDead = false;
  const api = new ApiClient(stack);
  const before = countAcknowledged(calls);
  const writing = Promise.all(
    ascending(CALLERS, (caller) => callUntilKilled(api, caller, calls, () => isDead)),
  );
  const isUnderWay = async () => {
    while (countAcknowledged(calls) < before + CALLERS) await delay(POLL_MS);
  };
  await Promise.race([writing, isUnderWay()]);
  await delay(randomInt(LONGEST_WAIT_MS));
  isDead = true;
  await stack.kill();
  await writing;
}

const countAcknowledged = (calls: readonly Sent[]): number => calls.filter(({ receipt }) => receipt).length;

/** As many at a time as there are callers: all at once would wait for each other longer than a call may take. */
async function inGroups<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += CALLERS) {
    results.push(...(await Promise.all(items.slice(start, start + CALLERS).map(run))));
  }
  return results;
}

/** The bill of each month counts the receipts that callers hold, and verifies against the published roots. */
async function expectBilled(api: ApiClient, held: readonly Receipt[]): Promise<void> {
  const published = new Map((await api.seals()).map((seal) => [seal.index, seal] as const));
  const monthOf = ({ issued_at }: Receipt): string => issued_at.slice(0, "YYYY-MM".length);
  for (const month of new Set(held.map(monthOf))) {
    const bill = billSchema.parse(await (await api.call("GET", `/v1/usage?month=${month}`)).json());
    expect(bill.count).toBe(held.filter((receipt) => monthOf(receipt) === month).length);
    expect((await verifyBill(bill, { published })).checks.filter(({ ok }) => ok === false)).toEqual([]);
  }
}

test("loses nothing that it acknowledged, however often and whenever it is killed", async () => {
  const dataDir = newFolder();
  const calls: Sent[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const stack = await startLocalStack({ dataDir, environment });
    await writeAndKill(stack, calls);
  }
  const acknowledged = calls.flatMap(({ receipt }) => receipt ?? []);
  const stack = await startLocalStack({ dataDir, environment });
  const api = new ApiClient(stack);

  // A retry gives the one receipt; for a call that got no answer, it finds the receipt or makes it.
  const receipts = await inGroups(calls, (call) => send(api, call));
  expect(receipts.filter((_, i) => calls[i]?.receipt)).toEqual(acknowledged);
  const chain = receipts.toSorted((a, b) => a.sequence - b.sequence);
  expect(chain.map(({ sequence }) => sequence)).toEqual(ascending(calls.length, (index) => index));
  const links = [NO_PREVIOUS_HASH, ...chain.map(linkOf)];
  expect(chain.map(({ previous_hash }) => previous_hash)).toEqual(links.slice(0, -1));

  const [some] = calls;
  const other = JSON.stringify({ ...some?.request, modality: "chat" });
  const conflict = await api.post("/v1/attestation", other, {
    headers: { "idempotency-key": some?.key ?? "" },
  });
  expect(await readProblem(conflict)).toMatchObject({
    status: 409,
    type: "/v1/problems#idempotency-conflict",
  });

  const next = receiptOf(await api.attest(disclosure({ interaction_id: "after" })));
  expect(next).toMatchObject({ sequence: calls.length, previous_hash: links.at(-1) });
  await api.includedReport(next.event_id);
  const reports = await inGroups(acknowledged, ({ event_id }) => api.report(event_id));
  expect(reports.map(receiptOf)).toEqual(acknowledged);
  const verified = await inGroups(reports, (report) => api.verifyPublished(report));
  expect(verified.flatMap(({ checks }) => checks.filter(({ ok }) => ok === false))).toEqual([]);
  expect(reports.filter(({ merkle_proof }) => merkle_proof.status !== "included")).toEqual([]);

  expect(await api.faultsOfSeals()).toEqual([]);
  const counts = (await api.seals()).map(({ receipt_count }) => receipt_count);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(calls.length + 1);
  await expectBilled(api, [...receipts, next]);
  expect((await stack.stop()).code).toBe(0);
});

test("finishes, after a kill, the seal that was begun before it", async () => {
  const dataDir = newFolder();
  const authority = await TestAuthority.start();
  authority.behave(silence);
  const trust = { ...environment, TSA_URLS: authority.url, TSA_CA_FILE: authority.caFile };
  const before = await startLocalStack({ dataDir, environment: trust });
  const { event_id } = await new ApiClient(before).attest(disclosure());
  // The call has asked for a token over the chain's root; the next request is the sealer's, whose seal is begun.
  await vi.waitFor(() => expect(authority.requests.length).toBeGreaterThan(1), PATIENCE_MS);
  expect((await new ApiClient(before).metachain()).size).toBe(0);
  await before.kill();

  authority.recover();
  const api = new ApiClient(await startLocalStack({ dataDir, environment: trust }));
  const report = await api.includedReport(event_id);
  const seal = await api.seal(0);
  expect(seal).toMatchObject({
    tree_size: 1,
    receipt_count: 1,
    merkle_root: report.merkle_proof.merkle_root,
  });
  const root = Buffer.from(seal.merkle_root.slice(2), "hex");
  expect(authority.requests.at(1)?.includes(root)).toBe(true);
  expect((await api.verifyPublished(report)).valid).toBe(true);
});
