// Reports and evidence bundles: what they prove, when, and to whom.
import { createHmac } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import {
  type ComplianceReceipt,
  complianceReceiptSchema,
} from "../../../evidence/core/formats/compliance-receipt.ts";
import { formatEventId } from "../../../evidence/core/formats/event-id.ts";
import { evidenceBundleSchema } from "../../../evidence/core/formats/evidence-bundle.ts";
import { responseMacInput } from "../../../evidence/core/formats/mac-input.ts";
import { hashChainHead } from "../../../evidence/core/formats/metachain.ts";
import { hashReceiptCore, withoutAuthentication } from "../../../evidence/core/formats/receipt.ts";
import { parseNode } from "../../../evidence/core/merkle/hash.ts";
import { verifyInclusion } from "../../../evidence/core/merkle/merkle-proof.ts";
import { MAX_PAGE_TURNS } from "../../../service/reports/bundle-page.ts";
import { ReportReader } from "../../../service/reports/report-reader.ts";
import { turnFrom } from "../../../service/table/keys.ts";
import type { Caller } from "../../../service/tenants/tenants.ts";
import { appendAll } from "../../support/append-all.ts";
import { type Call, faultAt, type Interceptor } from "../../support/faults.ts";
import { type Item, text } from "../../support/items.ts";
import { type Ledger, MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { keysUnder, readItem, without, writeItem } from "../../support/tamper.ts";
import { attestTurns, requestOf } from "../../support/test-process.ts";
import { ascending } from "../../support/trees.ts";
import { dayKeyOf } from "../../support/whole-chain.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

async function newWorld(chains = 1) {
  const ledger = await stack.newLedger({ isSigned: false });
  return { ledger, caller: await ledger.newTenant("tenant", chains), process: ledger.newProcess() };
}

const attestMany = (ledger: Ledger, caller: Caller, count: number): Promise<ComplianceReceipt[]> => {
  const process = ledger.newProcess();
  return Promise.all(ascending(count, (i) => process.attest(caller, requestOf(`call-${i % 3}`))));
};

/** Verifies both paths as a reader would, with the published root for an anchor. */
async function verifyIncluded(
  ledger: Ledger,
  { merkle_proof, receipts }: Pick<ComplianceReceipt, "merkle_proof" | "receipts">,
) {
  const { event_inclusion_proof: event, cross_tenant_proof: cross, status, merkle_root } = merkle_proof;
  if (cross === null) throw new Error("the proof is pending");
  const seal = await ledger.newProcess().roots.seal(cross.seal_index);
  expect([status, merkle_root, cross.root, cross.tree_size]).toEqual([
    "included",
    seal?.merkle_root,
    seal?.merkle_root,
    seal?.tree_size,
  ]);
  expect(cross.leaf).toMatchObject({ tree_size: event.tree_size, root: event.root });
  const leaf = hashReceiptCore(withoutAuthentication(receipts[0] ?? {}));
  verifyInclusion(leaf, event.leaf_index, event.tree_size, event.path.map(parseNode), parseNode(event.root));
  verifyInclusion(
    hashChainHead(cross.leaf),
    cross.leaf_index,
    cross.tree_size,
    cross.path.map(parseNode),
    parseNode(cross.root),
  );
  return seal;
}

test("every receipt of several chains verifies against the seal that published it first", async () => {
  const { ledger, caller } = await newWorld(2);
  const other = await ledger.newTenant("other");
  const answers: { of: Caller; seal: number; answer: ComplianceReceipt }[] = [];
  for (const [seal, count] of [7, 1, 12, 5].entries()) {
    for (const of of [caller, other]) {
      for (const answer of await attestMany(ledger, of, count)) answers.push({ of, seal, answer });
    }
    await ledger.newProcess().seal();
    ledger.now += MINUTE;
  }
  await ledger.check();
  for (const { of, seal, answer } of answers) {
    const report = await ledger.newProcess().report(of, answer.event_id);
    expect(complianceReceiptSchema.parse(report)).toEqual(report);
    expect(report.receipts).toEqual(answer.receipts);
    const published = await verifyIncluded(ledger, report);
    expect(published?.index).toBe(seal);
    expect(report.tsa_timestamp).toEqual(published?.tsa_timestamp);
    const today = ledger.clock().toISOString().slice(0, 10);
    const key = dayKeyOf(ledger.key.secret, today);
    const signature = createHmac("sha256", key).update(responseMacInput(report)).digest("base64");
    expect(report).toMatchObject({ key_id: `${ledger.key.id}/${today}`, signature });
  }
});

test("a report stays what it was when later seals follow", async () => {
  const { ledger, caller } = await newWorld();
  const [answer] = await attestMany(ledger, caller, 3);
  await ledger.newProcess().seal();
  const report = await ledger.newProcess().report(caller, answer?.event_id ?? "");
  const later = await attestMany(ledger, caller, 3);
  const firstUnsealed = await ledger.newProcess().report(caller, later[0]?.event_id ?? "");
  expect(firstUnsealed.merkle_proof.status).toBe("pending");
  ledger.now += MINUTE;
  await ledger.newProcess().seal();
  expect(await ledger.newProcess().report(caller, answer?.event_id ?? "")).toEqual(report);
});

test("a report is pending, under the root that its receipt made, until its seal is public", async () => {
  const { ledger, caller } = await newWorld();
  const [, answer] = await attestMany(ledger, caller, 4);
  const eventId = answer?.event_id ?? "";
  const before = await ledger.newProcess().report(caller, eventId);
  expect(before.merkle_proof).toMatchObject({
    status: "pending",
    cross_tenant_proof: null,
    event_inclusion_proof: { leaf_index: 1, tree_size: 2 },
  });
  expect(before.tsa_timestamp.status).toBe("pending");

  // Committed, timestamped, its root even published: but the head is not, so nobody else may know of it yet.
  const step = { name: "PutObject", nth: 3 };
  const dying = faultAt(step, "is never made, for the process dies", {
    rival: async () => {},
    died: () => died.resolve(),
  });
  const died = Promise.withResolvers<void>();
  void ledger.newProcess(dying).seal();
  await died.promise;
  expect(await ledger.newProcess().roots.seal(0)).not.toBeNull();
  expect(await ledger.newProcess().report(caller, eventId)).toEqual(before);

  await ledger.newProcess().seal();
  await verifyIncluded(ledger, await ledger.newProcess().report(caller, eventId));
});

test("a report is pending while its chain's head is in the metachain, and in no seal yet", async () => {
  const { ledger, caller, process } = await newWorld();
  await attestMany(ledger, caller, 2);
  await process.seal();
  const { event_id } = await process.attest(caller, requestOf("call"));
  await appendAll(process, caller.chainIds);
  const { merkle_proof } = await ledger.newProcess().report(caller, event_id);
  expect(merkle_proof).toMatchObject({ status: "pending", event_inclusion_proof: { tree_size: 3 } });
  await process.seal();
  await verifyIncluded(ledger, await ledger.newProcess().report(caller, event_id));
});

test("an event that is not the caller's does not exist", async () => {
  const { ledger, caller, process } = await newWorld(2);
  const other = await ledger.newTenant("other", 2);
  const [mine] = await attestMany(ledger, caller, 3);
  await attestMany(ledger, other, 9);
  const eventId = mine?.event_id ?? "";
  expect((await process.report(caller, eventId.toUpperCase())).event_id).toBe(eventId);
  const otherShard = eventId.replace(
    /-(.)(...)-(?=[^-]*$)/,
    (_, v, shard) => `-${v}${shard === "000" ? "001" : "000"}-`,
  );
  const strangers: [Caller, string][] = [
    [other, eventId],
    [caller, otherShard],
    [caller, eventId.replace(/^./, (digit) => (digit === "0" ? "1" : "0"))],
    [caller, eventId.replace(/.$/, "9")],
    [caller, eventId.replace(/-(.)...-(?=[^-]*$)/, "-$1fff-")],
    [caller, "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"],
    [caller, ""],
  ];
  for (const [of, id] of strangers) {
    await expect(process.report(of, id), id).rejects.toMatchObject({ code: "not_found" });
  }
});

test("an event id that the chain has not come to does not exist", async () => {
  const { ledger, caller, process } = await newWorld();
  const first = formatEventId(caller.chainIds[0] ?? "", { shard: 0, sequence: 0 });
  await expect(process.report(caller, first)).rejects.toMatchObject({ code: "not_found" });
  await attestMany(ledger, caller, 2);
  const next = formatEventId(caller.chainIds[0] ?? "", { shard: 0, sequence: 2 });
  await expect(process.report(caller, next)).rejects.toMatchObject({ code: "not_found" });
  const answer = await process.attest(caller, requestOf("call"));
  expect(answer.event_id).toBe(next);
});

test("a bundle holds a conversation in order, with its requests, its proofs and the seals they lead to", async () => {
  const { ledger, caller, process } = await newWorld();
  for (let round = 0; round < 3; round++) {
    await Promise.all(
      ascending(8, (i) =>
        process.attest(caller, requestOf(`call-${i % 2}`, { agent_identity: `agent/${round}-${i}` })),
      ),
    );
    if (round < 2) await ledger.newProcess().seal();
    ledger.now += MINUTE;
  }
  const stampProofs = process.calls.steps.filter(({ name }) => name === "BatchGetItem").length;
  const bundle = await process.interaction(caller, "call-1");
  expect(evidenceBundleSchema.parse(bundle)).toEqual(bundle);
  expect(bundle.receipts.map(({ turn }) => turn)).toEqual(ascending(12, (i) => i + 1));
  expect(bundle.requests.map((request) => request?.agent_identity)).toEqual(
    [0, 1, 2].flatMap((round) => [1, 3, 5, 7].map((i) => `agent/${round}-${i}`)),
  );
  expect(bundle.seals.map(({ index }) => index)).toEqual([0, 1]);
  expect(bundle.next_turn).toBeNull();
  // One read for all receipts and the entries of both seals, and one for the layer, which a process remembers.
  const proofs = process.calls.steps.filter(({ name }) => name === "BatchGetItem");
  expect(proofs.length - stampProofs).toBe(2);
  expect(bundle.chain_consistency).toMatchObject([{ from_size: 8, to_size: 16 }]);
  for (const [i, { event_id, merkle_proof }] of bundle.proofs.entries()) {
    const receipts = bundle.receipts.slice(i, i + 1);
    expect(receipts[0]?.event_id).toBe(event_id);
    if (i < 8) await verifyIncluded(ledger, { merkle_proof, receipts });
    else expect(merkle_proof.status).toBe("pending");
  }
});

test("a bundle of many turns leads each of them to the seal that published it", async () => {
  const { ledger, caller, process } = await newWorld();
  for (const count of [16, 17]) {
    await Promise.all(ascending(count, () => process.attest(caller, requestOf("call"))));
    await process.seal();
    ledger.now += MINUTE;
  }
  const { proofs, seals } = await process.interaction(caller, "call");
  const indices = proofs.map(({ merkle_proof }) => merkle_proof.cross_tenant_proof?.seal_index);
  expect(indices).toEqual(ascending(33, (i) => (i < 16 ? 0 : 1)));
  expect(seals.map(({ index }) => index)).toEqual([0, 1]);
});

test("one reader leads each receipt to its chain's first seal over it, in whatever order they are read", async () => {
  const { ledger, caller, process } = await newWorld();
  const other = await ledger.newTenant("other");
  for (let i = 0; i < 3; i++) {
    for (const of of [caller, other]) await process.attest(of, requestOf("call"));
    await process.seal();
    ledger.now += MINUTE;
  }
  const reader = new ReportReader(process);
  for (const sequence of [2, 0, 1, 2]) {
    for (const { chainIds } of [caller, other]) {
      const [report] = await reader.read([{ chainId: chainIds[0] ?? "", sequence }]);
      const { seal_index, leaf } = report?.merkle_proof.cross_tenant_proof ?? {};
      expect([seal_index, leaf?.chain_id]).toEqual([sequence, chainIds[0]]);
    }
  }
});

test("a long conversation comes in pages that follow each other", async () => {
  const { ledger, caller, process } = await newWorld();
  const count = MAX_PAGE_TURNS + 1;
  await attestTurns(process, caller, count);
  await ledger.newProcess().seal();
  const first = await process.interaction(caller, "call");
  expect(first.receipts).toHaveLength(MAX_PAGE_TURNS);
  expect(first.next_turn).toBe(MAX_PAGE_TURNS + 1);
  const second = await process.interaction(caller, "call", first.next_turn ?? 0);
  expect([...first.receipts, ...second.receipts].map(({ turn }) => turn)).toEqual(
    ascending(count, (i) => i + 1),
  );
  expect(second.next_turn).toBeNull();
  const exact = await process.interaction(caller, "call", 2);
  expect([exact.receipts.length, exact.next_turn]).toEqual([MAX_PAGE_TURNS, null]);
});

/** Hides the second turn from the first `times` queries, as a transaction does that is being applied. */
function hidingTurn2(times: number): Interceptor {
  return async <T>(call: Call, send: () => Promise<T>): Promise<T> => {
    const answer = (await send()) as T & { Items?: Item[] };
    if (call.name !== "Query" || call.nth > times) return answer;
    return { ...answer, Items: answer.Items?.filter((item) => text(item, "sk") !== turnFrom(2)) };
  };
}

test("a turn that is not in sight yet is read again, and one that never comes is damage", async () => {
  const { ledger, caller, process } = await newWorld();
  await Promise.all(ascending(3, () => process.attest(caller, requestOf("call"))));
  for (const [fromTurn, turns] of [
    [1, [1, 2, 3]],
    [2, [2, 3]],
  ] as const) {
    const bundle = await ledger.newProcess(hidingTurn2(2)).interaction(caller, "call", fromTurn);
    expect(bundle.receipts.map(({ turn }) => turn)).toEqual(turns);
  }
  const damaged = ledger.newProcess(hidingTurn2(100)).interaction(caller, "call");
  await expect(damaged).rejects.toMatchObject({ code: "ledger_corrupt", evidence: { turn: 2 } });
});

test("a request whose identifiers were erased is null, and its proofs still hold", async () => {
  const { ledger, caller, process } = await newWorld();
  const [answer] = await Promise.all(
    [requestOf("call"), requestOf("call")].map((body) => process.attest(caller, body)),
  );
  await ledger.newProcess().seal();
  const [turn] = await keysUnder(ledger, "conversation#");
  if (turn === undefined) throw new Error("no turn");
  await writeItem(ledger, without(await readItem(ledger, turn), "request"));
  const bundle = await process.interaction(caller, "call");
  expect(bundle.requests).toEqual([null, requestOf("call")]);
  const [{ merkle_proof } = { merkle_proof: answer?.merkle_proof }] = bundle.proofs;
  if (merkle_proof !== undefined)
    await verifyIncluded(ledger, { merkle_proof, receipts: bundle.receipts.slice(0, 1) });
  await process.attest(caller, requestOf("call"));
  await ledger.check();
});

test("a conversation that is not the caller's does not exist", async () => {
  const { ledger, caller, process } = await newWorld();
  const other = await ledger.newTenant("other");
  await process.attest(caller, requestOf("call"));
  for (const [of, id, from] of [
    [other, "call", 1],
    [other, "call", 2],
    [caller, "call-2", 1],
    [caller, "call-2", 2],
  ] as const) {
    await expect(process.interaction(of, id, from)).rejects.toMatchObject({ code: "not_found" });
  }
});
