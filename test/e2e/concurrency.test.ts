// Many callers at once on the one chain of a tenant, and many turns of one conversation at once.
import { beforeAll, expect, test } from "vitest";
import { hashInput } from "../../evidence/core/formats/attestation-request.ts";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import {
  hashReceiptCore,
  NO_PREVIOUS_HASH,
  type Receipt,
  withoutAuthentication,
} from "../../evidence/core/formats/receipt.ts";
import { formatDigest, formatNode } from "../../evidence/core/merkle/hash.ts";
import { verifyReceipt } from "../../evidence/core/verify/verify-receipt.ts";
import { type ApiClient, disclosure } from "../support/api-client.ts";
import { treeOf } from "../support/rfc9162.ts";
import { startTarget } from "../support/target.ts";
import { ascending } from "../support/trees.ts";

const CALLERS = 64;
const CALLS_OF_EACH = 4;
const TURNS = 2 * CALLERS;
const RETRIES_AT_ONCE = 16;

let api: ApiClient;
/** Receipts that were sealed before: the deployed stack has other tenants. */
let sealedBefore: number;

beforeAll(async () => {
  ({ api } = await startTarget());
  sealedBefore = await countSealed();
});

const countSealed = async (): Promise<number> =>
  (await api.seals()).reduce((sum, { receipt_count }) => sum + receipt_count, 0);

const receiptOf = ({ receipts }: ComplianceReceipt): Receipt =>
  receipts[0] ?? expect.unreachable("a receipt is missing");
const leafHashOf = (receipt: Receipt): Uint8Array => hashReceiptCore(withoutAuthentication(receipt));
const linkOf = (receipt: Receipt): string => formatDigest(leafHashOf(receipt));

/** Names of failed checks, over all answers. */
async function failuresOf(answers: readonly ComplianceReceipt[]): Promise<string[]> {
  const trustAnchors = await api.trustAnchors();
  const verified = await Promise.all(answers.map((answer) => verifyReceipt(answer, { trustAnchors })));
  return verified.flatMap(({ checks }) => checks.filter(({ ok }) => ok === false).map(({ name }) => name));
}

/** Calls one after the other. A call that is not answered 200 in the end fails the test. */
async function keepCalling(caller: number): Promise<ComplianceReceipt[]> {
  const answers: ComplianceReceipt[] = [];
  while (answers.length < CALLS_OF_EACH) {
    answers.push(
      await api.attestAmongMany(disclosure({ interaction_id: `caller-${caller}.${answers.length % 3}` })),
    );
  }
  return answers;
}

test("links 64 callers' receipts into one chain without gap, fork or duplicate, and answers every call", async () => {
  const byCaller = await Promise.all(ascending(CALLERS, (caller) => keepCalling(caller)));
  const answers = byCaller.flat().sort((a, b) => receiptOf(a).sequence - receiptOf(b).sequence);
  const receipts = answers.map(receiptOf);

  expect(answers).toHaveLength(CALLERS * CALLS_OF_EACH);
  expect(receipts.map(({ sequence }) => sequence)).toEqual(ascending(answers.length, (index) => index));
  expect(new Set(receipts.map(({ event_id }) => event_id)).size).toBe(answers.length);
  const links = [NO_PREVIOUS_HASH, ...receipts.map(linkOf)];
  expect(receipts.map(({ previous_hash }) => previous_hash)).toEqual(links.slice(0, -1));
  const instants = receipts.map(({ issued_at }) => issued_at);
  expect(instants).toEqual(instants.toSorted());
  expect(await failuresOf(answers)).toEqual([]);

  // One tree over all leaves has every root that was answered: there is no other chain beside it.
  const leaves = receipts.map(leafHashOf);
  const root = treeOf((index) => leaves[index] ?? expect.unreachable(`no leaf ${index}`));
  const answered = answers.map(({ merkle_proof }) => merkle_proof.event_inclusion_proof);
  for (const proof of answered) expect(proof.root).toBe(formatNode(root(0, proof.tree_size)));
});

test("gives 128 turns of one conversation the numbers 1 to 128, each linked to the one before", async () => {
  const requests = ascending(TURNS, (i) =>
    disclosure({ interaction_id: "long", agent_identity: `agent-${i}` }),
  );
  const answers = await Promise.all(requests.map((request) => api.attestAmongMany(request)));
  const receipts = answers.map(receiptOf).sort((a, b) => a.turn - b.turn);

  expect(receipts.map(({ turn }) => turn)).toEqual(ascending(TURNS, (index) => index + 1));
  const links = [null, ...receipts.map(linkOf)];
  expect(receipts.map(({ previous_turn_hash }) => previous_turn_hash)).toEqual(links.slice(0, -1));
  expect(await failuresOf(answers)).toEqual([]);

  const bundle = await api.interaction("long");
  expect(bundle.receipts).toEqual(receipts);
  expect(bundle.requests.map(hashInput)).toEqual(receipts.map(({ input_hash }) => input_hash));
  expect(bundle.next_turn).toBeNull();
});

test("gives one receipt to callers who use one Idempotency-Key at once, and the conflict to those with another body", async () => {
  const headers = { "idempotency-key": "at-once" };
  const request = disclosure({ interaction_id: "at-once" });
  const other = JSON.stringify({ ...request, modality: "chat" });
  const [answers, next] = await Promise.all([
    Promise.all(ascending(RETRIES_AT_ONCE, () => api.attest(request, headers))),
    api.attestAmongMany(disclosure({ interaction_id: "beside" })),
  ]);
  const conflicts = await Promise.all(
    ascending(RETRIES_AT_ONCE, () => api.post("/v1/attestation", other, { headers })),
  );
  const [first] = answers;
  for (const { receipts } of answers) expect(receipts).toEqual(first?.receipts);
  expect(conflicts.map(({ status }) => status)).toEqual(ascending(RETRIES_AT_ONCE, () => 409));
  expect((await api.interaction("at-once")).receipts).toEqual(first?.receipts);
  expect(receiptOf(next).event_id).not.toBe(first?.event_id);
});

test("publishes seals over all of it that follow each other", async () => {
  const last = await api.attest(disclosure({ interaction_id: "last" }));
  const report = await api.includedReport(last.event_id);
  expect((await api.verifyPublished(report)).valid).toBe(true);
  expect(await api.faultsOfSeals()).toEqual([]);
  expect((await countSealed()) - sealedBefore).toBe(receiptOf(last).sequence + 1);
});
