// The web runtime's process killed, frozen or stopped in the middle of 64 calls: each caller's retry finds its receipt,
// and nothing is lost or doubled.
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { AttestationRequest } from "../../evidence/core/formats/attestation-request.ts";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import { complianceReceiptSchema } from "../../evidence/core/formats/compliance-receipt.ts";
import type { Receipt } from "../../evidence/core/formats/receipt.ts";
import { ApiClient, disclosure } from "../support/api-client.ts";
import { type LocalStack, startLocalStack } from "../support/local-stack.ts";
import { silence, TestAuthority } from "../support/test-authority.ts";
import { ascending } from "../support/trees.ts";
import { FROM_PUBLIC_HOST, startWebServer, type WebServer } from "../support/web-server.ts";

const CALLS = 64;
/** A caller's patience with a process that does not answer, and the longest time until its retries must succeed. */
const PATIENCE_MS = 5_000;
const RETRIES_MS = 120_000;

interface Sent {
  readonly key: string;
  readonly request: AttestationRequest;
}

interface Scene {
  readonly stack: LocalStack;
  readonly authority: TestAuthority;
  readonly calls: readonly Sent[];
  readonly start: (variables?: Record<string, string>) => Promise<WebServer>;
}

/** One tenant with one chain, and 64 conversations of one call each. The stack itself records nothing. */
async function newScene(): Promise<Scene> {
  const authority = await TestAuthority.start();
  const trust = { TSA_URLS: authority.url, TSA_CA_FILE: authority.caFile };
  const stack = await startLocalStack({ environment: { ...trust, SEAL_INTERVAL_SECONDS: "3600" } });
  const calls = ascending(CALLS, (i) => ({
    key: randomUUID(),
    request: disclosure({ interaction_id: `call-${i}` }),
  }));
  return {
    stack,
    authority,
    calls,
    start: (more = {}) => startWebServer("attest", stack, { ...trust, ...more }),
  };
}

/** The call's receipt; null where none came: no answer, or a 503, which says that a retry is due. */
async function send(
  { apiKey }: LocalStack,
  { url }: WebServer,
  call: Sent,
  patienceMs = PATIENCE_MS,
): Promise<Receipt | null> {
  const response = await fetch(`${url}/v1/attestation`, {
    method: "POST",
    body: JSON.stringify(call.request),
    headers: {
      ...FROM_PUBLIC_HOST,
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
      "idempotency-key": call.key,
    },
    signal: AbortSignal.timeout(patienceMs),
  }).catch(() => null);
  const body = await response?.json().catch(() => null);
  if (response === null || response.status === 503 || body === null) return null;
  expect(response.status).toBe(200);
  return receiptOf(complianceReceiptSchema.parse(body));
}

const receiptOf = ({ receipts }: ComplianceReceipt): Receipt =>
  receipts[0] ?? expect.unreachable("a receipt is missing");

const sendAll = (
  { stack, calls }: Scene,
  server: WebServer,
  patienceMs?: number,
): Promise<(Receipt | null)[]> => Promise.all(calls.map((call) => send(stack, server, call, patienceMs)));

/** As a client does it: again and again, until it has its receipt. */
async function retry(stack: LocalStack, server: WebServer, call: Sent): Promise<Receipt> {
  for (const deadline = Date.now() + RETRIES_MS; Date.now() < deadline; ) {
    const receipt = await send(stack, server, call);
    if (receipt !== null) return receipt;
  }
  return expect.unreachable("no retry was answered");
}

const retryAll = ({ stack, calls }: Scene, server: WebServer): Promise<Receipt[]> =>
  Promise.all(calls.map((call) => retry(stack, server, call)));

/** Retries every call, and holds the receipts against what was answered before. */
async function expectEachReceiptOnce(
  scene: Scene,
  server: WebServer,
  answered: readonly (Receipt | null)[],
): Promise<void> {
  const found = await retryAll(scene, server);
  expect(found.filter((_, i) => answered[i] !== null)).toEqual(
    answered.filter((receipt) => receipt !== null),
  );
  const sequences = found.map(({ sequence }) => sequence).toSorted((a, b) => a - b);
  expect(sequences).toEqual(ascending(CALLS, (index) => index));
  expect(found.map(({ turn }) => turn)).toEqual(found.map(() => 1));
  await expectLength(scene, CALLS);
}

/** The chain has so many receipts, the next one shows. */
async function expectLength({ stack }: Scene, length: number): Promise<void> {
  const { receipts } = await new ApiClient(stack).attest(disclosure({ interaction_id: "the-next-one" }));
  expect(receipts[0]?.sequence).toBe(length);
}

/** The first receipts are in the ledger and wait for their timestamp; other calls wait for their place. */
async function amidst({ authority }: Scene): Promise<void> {
  await expect.poll(() => authority.requests.length, { interval: 1 }).toBeGreaterThan(0);
}

test("killed, it has lost nothing and doubled nothing", async () => {
  const scene = await newScene();
  const server = await scene.start();
  const answers = sendAll(scene, server);
  await amidst(scene);
  server.kill("SIGKILL");
  const answered = await answers;
  expect(answered).toContain(null);
  await expectEachReceiptOnce(scene, await scene.start(), answered);
});

test("killed before its first write, it has written nothing that a retry could double", async () => {
  const scene = await newScene();
  const server = await scene.start();
  const answers = sendAll(scene, server);
  setImmediate(() => server.kill("SIGKILL"));
  await expectEachReceiptOnce(scene, await scene.start(), await answers);
});

test("frozen, it holds up nobody for good, and once it goes on it doubles nothing", async () => {
  const scene = await newScene();
  const [frozen, other] = await Promise.all([scene.start(), scene.start()]);
  const answers = sendAll(scene, frozen);
  await amidst(scene);
  frozen.kill("SIGSTOP");
  const answered = await answers;
  expect(answered).toContain(null);
  const found = await retryAll(scene, other);
  frozen.kill("SIGCONT");
  // The thawed process finishes what it had begun, and answers the same receipts.
  expect(await retryAll(scene, frozen)).toEqual(found);
  await expectEachReceiptOnce(scene, other, found);
  frozen.kill("SIGTERM");
  expect(await frozen.exited).toBe(0);
});

/** Stops a server amid its calls: some are answered, and nothing else was written. */
async function stopAmidst(scene: Scene, environment: Readonly<Record<string, string>> = {}): Promise<void> {
  const server = await scene.start(environment);
  const answers = sendAll(scene, server, RETRIES_MS);
  await amidst(scene);
  server.kill("SIGTERM");
  const answered = (await answers).filter((receipt) => receipt !== null);
  expect(await server.exited).toBe(0);
  expect(answered.length).toBeGreaterThan(0);
  await expectLength(scene, answered.length);
}

test("asked to stop, it answers what it has begun, and has written nothing else", async () => {
  await stopAmidst(await newScene());
});

test("asked to stop, it waits for no authority, and has written nothing that it does not answer", async () => {
  const scene = await newScene();
  scene.authority.behave(silence);
  await stopAmidst(scene, { TSA_INLINE_BUDGET_MS: "60000" });
});

test("asked to stop within Lambda's second, it ends in order, and a retry finds what was cut short", async () => {
  const scene = await newScene();
  scene.authority.behave(silence);
  const lambda = { AWS_LAMBDA_HTTP_ENDPOINT: "127.0.0.1:0", TSA_INLINE_BUDGET_MS: "60000" };
  const server = await scene.start(lambda);
  const answers = sendAll(scene, server, RETRIES_MS);
  await amidst(scene);
  server.kill("SIGTERM");
  const answered = await answers;
  expect(await server.exited).toBe(0);
  scene.authority.recover();
  await expectEachReceiptOnce(scene, await scene.start(), answered);
});
