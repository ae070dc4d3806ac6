// The part of a call that is the client's own: it is given answers that the local process made before. And the queue on
// disk, in front of a service that answers at once.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DisclosureClient } from "../../../clients/client/disclosure-client.ts";
import { DurableQueue } from "../../../clients/client/queue/durable-queue.ts";
import { ATTESTATION_PATH, TRUST_ANCHORS_PATH } from "../../../contract/public-paths.ts";
import type { AttestationRequest } from "../../../evidence/core/formats/attestation-request.ts";
import type { ComplianceReceipt } from "../../../evidence/core/formats/compliance-receipt.ts";
import { DISCLOSURE } from "../../disclosure.ts";
import { medianOf } from "../../measuring.ts";
import { type BenchTenant, startLocalProcess } from "../local-process.ts";
import { columnsOf, figureOf, type Measure } from "../result.ts";
import { timeOf } from "../timed.ts";

const CALLS = { whole: 400, short: 30 };
const TURNS = 4;
const MICROSECONDS_PER_MS = 1_000;

/** A call that was made, and the text of its answer. */
interface RecordedCall {
  readonly request: AttestationRequest;
  readonly answer: string;
}

export const measure: Measure = async ({ isQuick, progress }) => {
  const calls = isQuick ? CALLS.short : CALLS.whole;
  const local = await startLocalProcess();
  try {
    const trustAnchors = await (await fetch(local.url + TRUST_ANCHORS_PATH)).text();
    const medians: number[] = [];
    for (const isStamped of [false, true]) {
      progress(isStamped ? "receipts with a token each" : "receipts without a token");
      const tenant = await local.newTenant(`client-${isStamped}`, { chains: 1, isStamped });
      const recorded = await recordCalls(local.url, tenant, calls);
      medians.push(await replayMs(recorded, trustAnchors));
    }
    const [plain = 0, stamped = 0] = medians;
    progress("the queue");
    const queue = await queueMs(calls);
    return {
      columns: COLUMNS,
      rows: [[calls, plain, stamped, queue.addMs, queue.diskMs]],
      figures: [
        figureOf("attest, for checking the receipt, p50", plain, "ms"),
        figureOf("attest, where a token is new, p50", stamped, "ms"),
        figureOf("add, until it returns, p50", queue.addMs * MICROSECONDS_PER_MS, "µs"),
        figureOf("add, until the disclosure is on disk, p50", queue.diskMs, "ms"),
      ],
    };
  } finally {
    await local.stop();
  }
};

const COLUMNS = columnsOf(
  "calls: count",
  "attest, no token: ms",
  "attest, a new token: ms",
  "add returns: ms",
  "on disk: ms",
);

/** One after the other, so that each receipt has a token of its own where it has one. */
async function recordCalls(url: string, { apiKey }: BenchTenant, count: number): Promise<RecordedCall[]> {
  const calls: RecordedCall[] = [];
  while (calls.length < count) {
    const interaction_id = `conversation-${Math.floor(calls.length / TURNS)}`;
    const request = { ...DISCLOSURE, interaction_id } as AttestationRequest;
    const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
    const response = await fetch(url + ATTESTATION_PATH, {
      method: "POST",
      headers,
      body: JSON.stringify(request),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`a call was answered ${response.status}`);
    calls.push({ request, answer });
  }
  return calls;
}

/** The median of calls whose answers are there at once. */
async function replayMs(calls: readonly RecordedCall[], trustAnchors: string): Promise<number> {
  const headers = { "content-type": "application/json" };
  let current = calls[0];
  const replay = async (): Promise<Response> => new Response(current?.answer, { headers });
  const client = new DisclosureClient({
    baseUrl: "http://127.0.0.1",
    apiKey: "dr_none",
    trustAnchors,
    fetch: replay,
  });
  let next = 0;
  const call = async (): Promise<void> => {
    current = calls[next++ % calls.length];
    if (current !== undefined) await client.attest(current.request);
  };
  // One call fewer: the one that warms up takes the first answer.
  return (await timeOf(call, { runs: calls.length - 1, waits: true })).median;
}

interface QueueTook {
  readonly addMs: number;
  readonly diskMs: number;
}

async function queueMs(count: number): Promise<QueueTook> {
  const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-queue-"));
  const client = { attest: async () => ({}) as ComplianceReceipt };
  const ignore = (): void => {};
  const queue = new DurableQueue(client, {
    folder,
    onReceipt: ignore,
    onHandover: ignore,
    onProblem: ignore,
  });
  const [added, stored]: [number[], number[]] = [[], []];
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    const safe = queue.add({ ...DISCLOSURE, interaction_id: `call-${i}` } as AttestationRequest);
    added.push(performance.now() - start);
    if (!(await safe)) throw new Error("a disclosure did not come to the disk");
    stored.push(performance.now() - start);
  }
  await queue.close();
  rmSync(folder, { recursive: true });
  return { addMs: medianOf(added), diskMs: medianOf(stored) };
}
