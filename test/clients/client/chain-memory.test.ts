import { describe, expect, test } from "vitest";
import { SeenHistory } from "../../../clients/client/chain-memory.ts";
import { ClientError, DisclosureClient } from "../../../clients/client/index.ts";
import type { ComplianceReceipt } from "../../../evidence/core/formats/compliance-receipt.ts";
import { formatEventId } from "../../../evidence/core/formats/event-id.ts";
import {
  hashReceiptCore,
  type PolicyVerdict,
  withoutAuthentication,
} from "../../../evidence/core/formats/receipt.ts";
import { formatDigest, formatNode, hashNode } from "../../../evidence/core/merkle/hash.ts";
import { disclosure } from "../../support/api-client.ts";
import { linkTo } from "../../support/lying-service.ts";
import { readReceipt } from "../../support/vector-files.ts";
import { respond, type Served, serve } from "./service.ts";

const CONVERSATION = "call-of-mrs-maier";
const SECRETS = [CONVERSATION, "key-of-one"];

async function start(): Promise<{ served: Served; client: DisclosureClient }> {
  const served = await serve();
  return { served, client: new DisclosureClient({ baseUrl: served.url, apiKey: "dr_live_a_b" }) };
}

/** Attests in as many conversations. */
async function attestMany(client: DisclosureClient, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await client.attest(disclosure({ interaction_id: `call-${i}` }));
}

/** Others record on the same chain, unseen by the client. */
function recordUnseen({ service }: Served, count: number): void {
  for (let i = 0; i < count; i++)
    service.attest(disclosure({ interaction_id: `unseen-${i}` }), `unseen-${i}`);
}

async function forkOf(promise: Promise<unknown>): Promise<ClientError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ClientError)) throw new Error(`no fork was noticed: ${error}`);
  expect(error.code).toBe("chain_forked");
  return error;
}

describe("a later receipt", () => {
  test("that follows the last one is believed, whoever wrote between them", async () => {
    const { served, client } = await start();
    for (let unseen = 0; unseen < 20; unseen++) {
      await client.attest(disclosure({ interaction_id: `call-${unseen}` }));
      recordUnseen(served, unseen % 5);
    }
    expect(client.newest.map(({ evidence_chain }) => evidence_chain.sequence)).toEqual([
      served.service.recorded.length - 1,
    ]);
  });

  test.each([1, 2, 3, 4, 7, 8, 13])("of another history after %i receipts is a fork", async (seen) => {
    const { served, client } = await start();
    await attestMany(client, seen);
    served.service = served.service.fork(seen - 1);
    recordUnseen(served, 1);
    const { evidence } = await forkOf(client.attest(disclosure({ interaction_id: "next" })));
    expect(evidence).toMatchObject({
      expected: expect.any(String),
      answer: { receipts: [expect.anything()] },
    });
  });

  test("at a place that was taken before is a fork: the service lost what came after", async () => {
    const { served, client } = await start();
    await client.attest(disclosure());
    recordUnseen(served, 8);
    await client.attest(disclosure());
    served.service = served.service.fork(5);
    const { evidence } = await forkOf(client.attest(disclosure({ interaction_id: "next" })));
    expect(evidence).toMatchObject({ expected: 10, actual: 5 });
  });

  test("that was given for an earlier disclosure of the same words is a fork", async () => {
    const { served, client } = await start();
    const old = await client.attest(disclosure(), { idempotencyKey: "key-of-one" });
    served.trick = ({ response }) => respond(response, 200, old);
    await forkOf(client.attest(disclosure()));
    await forkOf(client.attest(disclosure(), { idempotencyKey: "key-of-two" }));
    expect(await client.attest(disclosure(), { idempotencyKey: "key-of-one" })).toEqual(old);
  });

  test("that links to another than the one before is a fork, where its own proof can't show that", async () => {
    const { served, client } = await start();
    await attestMany(client, 2);
    served.service.lie = { previous_hash: `sha256:${"1".repeat(64)}` };
    const { evidence } = await forkOf(client.attest(disclosure({ interaction_id: "next" })));
    expect(evidence).toMatchObject({ fact: expect.stringMatching(/\/0\/1$/), actual: `0x${"1".repeat(64)}` });
  });

  test("that follows a turn which another follows is a fork", async () => {
    const { served, client } = await start();
    const [first] = (await client.attest(disclosure({ interaction_id: CONVERSATION }))).receipts;
    if (first === undefined) throw new Error("an answer has a receipt");
    await client.attest(disclosure({ interaction_id: CONVERSATION }));
    recordUnseen(served, 3);
    served.service.lie = { previous_turn_hash: linkTo(first) };
    const { evidence } = await forkOf(client.attest(disclosure({ interaction_id: CONVERSATION })));
    expect(evidence).toMatchObject({ fact: expect.stringMatching(/^turn-after\/0x[0-9a-f]{64}$/) });
  });

  test("that begins the conversation anew is believed: the id may have been erased meanwhile", async () => {
    const { served, client } = await start();
    const call = disclosure({ interaction_id: CONVERSATION });
    const turnOf = async () => (await client.attest(call)).receipts[0]?.turn;
    expect([await turnOf(), await turnOf(), await turnOf()]).toEqual([1, 2, 3]);
    await client.interaction(CONVERSATION);
    const newId = served.service.erase(CONVERSATION);
    expect([await turnOf(), await turnOf()]).toEqual([1, 2]);
    expect((await client.interaction(CONVERSATION)).receipts).toHaveLength(2);
    expect((await client.interaction(newId)).receipts).toHaveLength(3);
  });

  test("that forks says so without the ids of conversations and keys", async () => {
    const { served, client } = await start();
    await client.attest(disclosure({ interaction_id: CONVERSATION }), { idempotencyKey: "key-of-one" });
    served.service = served.service.fork(0);
    const error = await forkOf(client.attest(disclosure({ interaction_id: CONVERSATION })));
    const text = `${error.message} ${JSON.stringify(error.evidence)}`;
    expect(SECRETS.filter((secret) => text.includes(secret))).toEqual([]);
  });

  test("of the true history is believed after a fork was noticed", async () => {
    const { served, client } = await start();
    await attestMany(client, 3);
    const honest = served.service;
    served.service = honest.fork(2);
    await forkOf(client.attest(disclosure()));
    served.service = honest;
    await client.attest(disclosure());
  });
});

describe("answers that overtake each other", () => {
  test("raise no alarm, in any order", async () => {
    const { served, client } = await start();
    await client.attest(disclosure());
    const held: (() => void)[] = [];
    const all = Promise.withResolvers<void>();
    served.trick = async ({ answer, response }) => {
      const recorded = answer();
      const { promise, resolve } = Promise.withResolvers<void>();
      held.push(resolve);
      if (held.length === 12) all.resolve();
      await promise;
      return respond(response, 200, recorded);
    };
    const calls = Array.from({ length: 12 }, (_, i) =>
      client.attest(disclosure({ interaction_id: `call-${i % 3}` })),
    );
    await all.promise;
    // The last first, then the others from both ends.
    for (const i of [11, 0, 5, 10, 1, 9, 2, 8, 3, 7, 4, 6]) {
      held[i]?.();
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const receipts = await Promise.all(calls);
    expect(new Set(receipts.map(({ event_id }) => event_id)).size).toBe(12);
    expect(client.newest.map(({ evidence_chain }) => evidence_chain.sequence)).toEqual([12]);
  });
});

describe("a report", () => {
  test("in a later tree is believed, and one of a tree that forked below is not", async () => {
    const { served, client } = await start();
    const { event_id } = await client.attest(disclosure());
    recordUnseen(served, 8);
    // Nothing in this answer can be compared with the first one.
    await client.attest(disclosure({ interaction_id: "late" }));
    await client.report(event_id);
    const honest = served.service;
    served.service = honest.fork(1);
    for (let i = 0; i < 10; i++)
      served.service.attest(disclosure({ interaction_id: `other-${i}` }), `other-${i}`);
    await forkOf(client.report(event_id));
  });
});

describe("a bundle", () => {
  test("of another history than the one that was seen is a fork", async () => {
    const { served, client } = await start();
    for (let turn = 0; turn < 3; turn++) await client.attest(disclosure({ interaction_id: "call" }));
    await client.interaction("call");
    served.service = served.service.fork(2);
    served.service.attest(disclosure({ interaction_id: "call", agent_identity: "another" }), "another");
    await forkOf(client.interaction("call"));
  });
});

describe("what was remembered", () => {
  test("can be given to the next process, which notices the fork", async () => {
    const { served, client } = await start();
    await attestMany(client, 5);
    const saved: unknown = JSON.parse(JSON.stringify(client.newest));
    const next = new DisclosureClient({ baseUrl: served.url, apiKey: "dr_live_a_b" });
    for (const receipt of saved as unknown[]) await next.remember(receipt);
    expect(next.newest).toEqual(saved);
    const honest = served.service;
    served.service = honest.fork(4);
    recordUnseen(served, 1);
    await forkOf(next.attest(disclosure()));
    served.service = honest;
    await next.attest(disclosure());
  });

  test("has one root for each seal", async () => {
    const { client } = await start();
    const [reminder, handOff] = [
      readReceipt("receipts/reminder.json"),
      readReceipt("receipts/hand-off.json"),
    ];
    const { cross_tenant_proof: cross } = reminder.merkle_proof;
    const sealIndex = handOff.merkle_proof.cross_tenant_proof?.seal_index ?? -1;
    if (cross === null || cross.seal_index === sealIndex) throw new Error("the vectors share a seal");
    await client.remember(handOff);
    const moved = { ...reminder.merkle_proof, cross_tenant_proof: { ...cross, seal_index: sealIndex } };
    await forkOf(client.remember({ ...reminder, merkle_proof: moved }));
    await client.remember(reminder);
  });

  test("must be a receipt that holds", async () => {
    const { client } = await start();
    const [, receipt] = [await client.attest(disclosure()), await client.attest(disclosure())];
    const { evidence_chain } = receipt;
    for (const damaged of [null, {}, { ...receipt, evidence_chain: { ...evidence_chain, sequence: 7 } }])
      await expect(client.remember(damaged)).rejects.toMatchObject({ code: "receipt_invalid" });
  });
});

describe("a memory that is full", () => {
  const MAX_CHAINS = 4_096;
  /** Six facts each: there is room for these, and for two facts more. */
  const MAX_ANSWERS = 3_333;
  const model = readReceipt("receipts/greeting-pending.json");
  const contextOf = (i: number) => ({ idempotencyKey: `key-${i}` });

  /** The first answer of chain `i`, in a tree of one leaf or of two equal ones: six facts with its key. */
  function answerOf(i: number, { size = 1, verdict = "ALLOW" as PolicyVerdict } = {}): ComplianceReceipt {
    const chain_id = i.toString(16).padStart(32, "0");
    const event_id = formatEventId(chain_id, { shard: 0, sequence: 0 });
    const later = { turn: 2, previous_turn_hash: `sha256:${chain_id.repeat(2)}` };
    const receipts = model.receipts.map((receipt) => ({ ...receipt, ...later, chain_id, event_id, verdict }));
    const hash = hashReceiptCore(withoutAuthentication(receipts[0] ?? {}));
    const leaf_hash = formatNode(hash);
    const [path, root] = size === 1 ? [[], leaf_hash] : [[leaf_hash], formatNode(hashNode(hash, hash))];
    const event_inclusion_proof = { leaf_hash, leaf_index: 0, tree_size: size, path, root };
    const evidence_chain = { chain_id, head_hash: formatDigest(hash), sequence: size - 1 };
    const merkle_proof = { ...model.merkle_proof, event_inclusion_proof };
    return { ...model, event_id, receipts, evidence_chain, merkle_proof };
  }

  test("forgets the chain first that was silent longest", () => {
    const memory = new SeenHistory();
    for (let i = 0; i < MAX_CHAINS; i++) memory.remember(answerOf(i));
    memory.remember(answerOf(0, { size: 2 }));
    expect(memory.sizes().size).toBe(MAX_CHAINS);
    memory.remember(answerOf(MAX_CHAINS));
    const known = memory.newest.map(({ evidence_chain }) => Number.parseInt(evidence_chain.chain_id, 16));
    expect([known.length, known[0], known.slice(-2)]).toEqual([MAX_CHAINS, 2, [0, MAX_CHAINS]]);
  });

  test("forgets what was seen longest ago, and not what was confirmed since", () => {
    const memory = new SeenHistory();
    for (let i = 0; i < MAX_ANSWERS; i++) memory.remember(answerOf(i), contextOf(i));
    memory.remember(answerOf(0), contextOf(0));
    for (const i of [MAX_ANSWERS, MAX_ANSWERS + 1]) memory.remember(answerOf(i), contextOf(i));
    const contradict = (i: number) => () => memory.remember(answerOf(i, { verdict: "BLOCK" }));
    for (const kept of [0, 3, MAX_ANSWERS]) expect(contradict(kept)).toThrow(ClientError);
    expect(contradict(1)).not.toThrow();
  });
});
