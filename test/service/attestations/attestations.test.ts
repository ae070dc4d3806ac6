// What an attestation answers: the receipt, its links, its first proof; and what the same Idempotency-Key finds again.
import { createHmac, randomUUID } from "node:crypto";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { hashInput } from "../../../evidence/core/formats/attestation-request.ts";
import { complianceReceiptSchema } from "../../../evidence/core/formats/compliance-receipt.ts";
import { responseMacInput } from "../../../evidence/core/formats/mac-input.ts";
import {
  hashReceiptCore,
  type Receipt,
  withoutAuthentication,
} from "../../../evidence/core/formats/receipt.ts";
import { parseNode } from "../../../evidence/core/merkle/hash.ts";
import { verifyInclusion } from "../../../evidence/core/merkle/merkle-proof.ts";
import { policyLayers } from "../../../evidence/policy/index.ts";
import { MAX_AHEAD_MS } from "../../../service/attestations/attestations.ts";
import { conflict, faultAt, outage, throttling } from "../../support/faults.ts";
import { HOUR, MINUTE, SECOND, startLedgerStack } from "../../support/ledger-stack.ts";
import { requestOf, stampedRoot } from "../../support/test-process.ts";
import { ascending } from "../../support/trees.ts";
import { dayKeyOf } from "../../support/whole-chain.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

async function newWorld() {
  const ledger = await stack.newLedger();
  return { ledger, caller: await ledger.newTenant("tenant"), process: ledger.newProcess() };
}

function onlyReceipt({ receipts: [receipt] }: { receipts: Receipt[] }): Receipt {
  if (receipt === undefined) throw new Error("no receipt");
  return receipt;
}

test("an answer holds the receipt, the way to the chain's root, and a token over that root", async () => {
  const { ledger, caller, process } = await newWorld();
  const request = requestOf("call");
  await process.attest(caller, request);
  const answer = await process.attest(caller, request);

  expect(complianceReceiptSchema.parse(answer)).toEqual(answer);
  const receipt = onlyReceipt(answer);
  expect(receipt).toMatchObject({ sequence: 1, turn: 2, input_hash: hashInput(request), verdict: "MODIFY" });
  const { event_inclusion_proof: proof, merkle_root, status } = answer.merkle_proof;
  expect([status, merkle_root]).toEqual(["pending", proof.root]);
  const root = parseNode(proof.root);
  const leafHash = hashReceiptCore(withoutAuthentication(receipt));
  verifyInclusion(leafHash, proof.leaf_index, proof.tree_size, proof.path.map(parseNode), root);
  expect(stampedRoot(answer.tsa_timestamp)).toBe(merkle_root);
  const key = dayKeyOf(ledger.key.secret, ledger.clock().toISOString().slice(0, 10));
  const mac = createHmac("sha256", key).update(responseMacInput(answer)).digest("base64");
  expect(answer.signature).toBe(mac);
});

test("receipts that were written together prove inclusion under the same root and name its head", async () => {
  const { caller, process } = await newWorld();
  const answers = await Promise.all(ascending(20, (i) => process.attest(caller, requestOf(`call-${i % 3}`))));
  const together = answers.slice(1);
  const newest = onlyReceipt(answers[19] ?? { receipts: [] });
  const head_hash = hashReceiptCore(withoutAuthentication(newest));
  for (const { merkle_proof, evidence_chain, receipts } of together) {
    const { root, path, ...proof } = merkle_proof.event_inclusion_proof;
    expect(root).toBe(answers[19]?.merkle_proof.merkle_root);
    expect(evidence_chain).toMatchObject({
      sequence: 19,
      head_hash: `sha256:${Buffer.from(head_hash).toString("hex")}`,
    });
    const leafHash = hashReceiptCore(withoutAuthentication(onlyReceipt({ receipts })));
    verifyInclusion(leafHash, proof.leaf_index, 20, path.map(parseNode), parseNode(root));
  }
});

test("an authority that fails leaves the timestamp pending and the receipt recorded", async () => {
  const { ledger, caller } = await newWorld();
  const stampFails = faultAt({ name: "Stamp", nth: 1 }, "fails", { rival: async () => {}, died: () => {} });
  const { tsa_timestamp } = await ledger.newProcess(stampFails).attest(caller, requestOf("call"));
  expect(tsa_timestamp).toEqual({
    status: "pending",
    timestamp_token: null,
    tsa_url: null,
    covers: "merkle_root",
  });
  expect((await ledger.check()).receipts).toBe(1);
});

test("a country whose layer is not active gets no receipt", async () => {
  const { ledger, caller, process } = await newWorld();
  const attest = process.attest(caller, requestOf("call", { jurisdiction: "NL" }));
  await expect(attest).rejects.toMatchObject({ code: "jurisdiction_not_active" });
  expect((await ledger.check()).receipts).toBe(0);
});

test("a clock that steps back does not make the chain do so", async () => {
  const { ledger, caller, process } = await newWorld();
  const first = onlyReceipt(await process.attest(caller, requestOf("call")));
  ledger.now -= 10 * SECOND;
  const sameProcess = onlyReceipt(await process.attest(caller, requestOf("call")));
  const otherProcess = onlyReceipt(await ledger.newProcess().attest(caller, requestOf("call")));
  expect([sameProcess.issued_at, otherProcess.issued_at]).toEqual([first.issued_at, first.issued_at]);
});

test("the same key and body find the same receipt for 24 hours, from any process", async () => {
  const { ledger, caller, process } = await newWorld();
  const { receipts } = await process.attest(caller, requestOf("call"), "key");
  ledger.now += 24 * HOUR - 1;
  for (const again of [process, ledger.newProcess()]) {
    expect((await again.attest(caller, requestOf("call"), "key")).receipts).toEqual(receipts);
  }
  expect((await ledger.check()).receipts).toBe(1);
});

test("a repeat finds its receipt where a new one would be refused by now", async () => {
  const { ledger, caller, process } = await newWorld();
  const request = requestOf("call", {
    disclosed_at: new Date(ledger.now + MAX_AHEAD_MS).toISOString(),
  });
  const { receipts } = await process.attest(caller, request, "key");
  const retired = policyLayers.map((layer) => ({ ...layer, status: "in_development" as const }));
  const withoutLayer = ledger.newProcess(undefined, { layers: retired });
  const clock = () => new Date(ledger.now - 10 * SECOND);
  const withOtherClock = ledger.newProcess(undefined, { clock });
  for (const [other, code] of [
    [withoutLayer, "jurisdiction_not_active"],
    [withOtherClock, "invalid_request"],
  ] as const) {
    await expect(other.attest(caller, request, "another key")).rejects.toMatchObject({ code });
    expect((await other.attest(caller, request, "key")).receipts).toEqual(receipts);
  }
  expect((await ledger.check()).receipts).toBe(1);
});

test("a replay proves inclusion under the root that its own receipt made", async () => {
  const { caller, process } = await newWorld();
  const first = await process.attest(caller, requestOf("call"), "key");
  await process.attest(caller, requestOf("other"));
  const again = await process.attest(caller, requestOf("call"), "key");
  expect(again.merkle_proof).toEqual(first.merkle_proof);
  expect(again.evidence_chain).toEqual(first.evidence_chain);
});

test("after 24 hours a key counts as new, though its record still stands", async () => {
  const { ledger, caller, process } = await newWorld();
  const first = onlyReceipt(await process.attest(caller, requestOf("call"), "key"));
  ledger.now += 24 * HOUR;
  const second = onlyReceipt(await process.attest(caller, requestOf("call"), "key"));
  expect(second.event_id).not.toBe(first.event_id);
  const third = onlyReceipt(await process.attest(caller, requestOf("call"), "key"));
  expect(third).toEqual(second);
  expect((await ledger.check()).receipts).toBe(2);
});

test("the same key with another body is a conflict that records nothing", async () => {
  const { ledger, caller, process } = await newWorld();
  await process.attest(caller, requestOf("call"), "key");
  for (const other of [requestOf("call", { agent_identity: "agent/8" }), requestOf("other-call")]) {
    await expect(process.attest(caller, other, "key")).rejects.toMatchObject({
      code: "idempotency_conflict",
    });
  }
  expect((await ledger.check()).receipts).toBe(1);
});

test("a call that is refused for its key refuses none of the calls that wait with it", async () => {
  const { ledger, caller, process } = await newWorld();
  await process.attest(caller, requestOf("call"), "key");
  const [, refused, ...others] = await Promise.allSettled([
    process.attest(caller, requestOf("first")),
    process.attest(caller, requestOf("other"), "key"),
    process.attest(caller, requestOf("new")),
    process.attest(caller, requestOf("new"), "new key"),
  ]);
  expect(refused).toMatchObject({ reason: { code: "idempotency_conflict" } });
  expect(others.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect((await ledger.check()).receipts).toBe(4);
});

test("one key is two keys for two tenants", async () => {
  const { ledger, caller, process } = await newWorld();
  const other = await ledger.newTenant("other");
  await process.attest(caller, requestOf("call"), "key");
  await process.attest(other, requestOf("another-call"), "key");
  expect((await ledger.check()).receipts).toBe(2);
});

test("calls of one key that wait for the same transaction become one receipt", async () => {
  const { ledger, caller, process } = await newWorld();
  const [, ...answers] = await Promise.all([
    process.attest(caller, requestOf("first")),
    ...ascending(5, () => process.attest(caller, requestOf("call"), "key")),
  ]);
  expect(new Set(answers.map((answer) => onlyReceipt(answer).event_id)).size).toBe(1);
  expect((await ledger.check()).receipts).toBe(2);
});

test("of two bodies under one key that wait together, the first is recorded and the second refused", async () => {
  const { ledger, caller, process } = await newWorld();
  const [, first, second] = await Promise.allSettled([
    process.attest(caller, requestOf("first")),
    process.attest(caller, requestOf("call"), "key"),
    process.attest(caller, requestOf("call", { modality: "chat" }), "key"),
  ]);
  expect(first?.status).toBe("fulfilled");
  expect(second).toMatchObject({ reason: { code: "idempotency_conflict" } });
  expect((await ledger.check()).receipts).toBe(2);
});

test("replays among new calls are answered without making the new ones wait for each", async () => {
  const { ledger, caller, process } = await newWorld();
  const keys = ascending(20, (i) => `key-${i}`);
  const attestAll = () =>
    Promise.all(keys.map((key, i) => process.attest(caller, requestOf(`call-${i}`), key)));
  const first = await attestAll();
  const [again, fresh] = await Promise.all([attestAll(), process.attest(caller, requestOf("new"))]);
  expect(again.map(({ receipts }) => receipts)).toEqual(first.map(({ receipts }) => receipts));
  expect(onlyReceipt(fresh).sequence).toBe(20);
  expect((await ledger.check()).receipts).toBe(21);
});

test("a plan that lay about for longer than a minute is made again before it is sent", async () => {
  const { ledger, caller } = await newWorld();
  // The process is suspended while its receipt is being authenticated.
  const suspended = ledger.newProcess(async (call, send) => {
    if (call.name === "GenerateMac" && call.nth === 1) ledger.now += MINUTE + 1;
    return send();
  });
  const { issued_at } = onlyReceipt(await suspended.attest(caller, requestOf("call")));
  expect(issued_at).toBe(ledger.clock().toISOString());
});

test("a write that took effect, though the table has forgotten its token, is known by its own mark", async () => {
  const { ledger, caller } = await newWorld();
  // The connection breaks after the first send; by the second one, the engine has been restarted.
  const forgetting = ledger.newProcess(async (call, send) => {
    if (call.name !== "TransactWriteItems") return send();
    if (call.nth === 2) Object.assign(call.input, { ClientRequestToken: randomUUID() });
    const answer = await send();
    if (call.nth === 1) throw outage();
    return answer;
  });
  const receipt = onlyReceipt(await forgetting.attest(caller, requestOf("call")));
  expect(receipt.sequence).toBe(0);
  expect((await ledger.check()).receipts).toBe(1);
});

test("a plan that is dated ahead by a clock that was set right since is made anew", async () => {
  const { ledger, caller } = await newWorld();
  const [rightNow, calls] = [ledger.now, [] as string[]];
  ledger.now += HOUR;
  const corrected = ledger.newProcess(async (call, send) => {
    calls.push(call.name);
    if (call.name === "GenerateMac") ledger.now = rightNow;
    return send();
  });
  const { issued_at } = onlyReceipt(await corrected.attest(caller, requestOf("call")));
  expect(issued_at).toBe(new Date(rightNow).toISOString());
  expect(calls.filter((name) => name === "TransactWriteItems")).toHaveLength(1);
  await ledger.check();
});

test("a write of unknown outcome is not sent again an hour later", async () => {
  const { ledger, caller } = await newWorld();
  const sends: number[] = [];
  const suspended = ledger.newProcess(async (call, send) => {
    if (call.name !== "TransactWriteItems") return send();
    sends.push(call.nth);
    ledger.now += HOUR;
    throw outage();
  });
  await expect(suspended.attest(caller, requestOf("call"))).rejects.toMatchObject({
    code: "ledger_unavailable",
  });
  expect(sends).toEqual([1]);
});

test("a chain that stays too busy is told to the caller in time, and nothing is recorded", async () => {
  const { ledger, caller } = await newWorld();
  const now = vi.spyOn(performance, "now");
  onTestFinished(() => now.mockRestore());
  const sends: number[] = [];
  const busy = ledger.newProcess(async (call, send) => {
    if (call.name !== "TransactWriteItems") return send();
    sends.push(call.nth);
    now.mockReturnValue(performance.timeOrigin + call.nth * 3 * SECOND);
    throw call.nth % 2 === 0 ? conflict(call) : throttling();
  });
  now.mockReturnValue(performance.timeOrigin);
  await expect(busy.attest(caller, requestOf("call"))).rejects.toMatchObject({ code: "ledger_contended" });
  expect(sends).toEqual([1, 2, 3]);
  expect((await ledger.check()).receipts).toBe(0);
});

test("a call whose time ran out behind another's write is told so, and nothing of it is recorded", async () => {
  const { ledger, caller } = await newWorld();
  const now = vi.spyOn(performance, "now");
  onTestFinished(() => now.mockRestore());
  const slow = ledger.newProcess(async (call, send) => {
    if (call.name === "TransactWriteItems") now.mockReturnValue(performance.timeOrigin + 9 * SECOND);
    return send();
  });
  now.mockReturnValue(performance.timeOrigin);
  const calls = ["first", "second"].map((id) => slow.attest(caller, requestOf(id)));
  const [first, second] = await Promise.allSettled(calls);
  expect(first).toMatchObject({ status: "fulfilled" });
  expect(second).toMatchObject({ reason: { code: "ledger_contended" } });
  expect((await ledger.check()).receipts).toBe(1);
});

test("a chain that has been silent goes on where it ended", async () => {
  const { ledger, caller, process } = await newWorld();
  await process.attest(caller, requestOf("call"));
  await ledger.newProcess().attest(caller, requestOf("call"));
  ledger.now += MINUTE;
  const { sequence, turn } = onlyReceipt(await process.attest(caller, requestOf("call")));
  expect([sequence, turn]).toEqual([2, 3]);
  await ledger.check();
});
