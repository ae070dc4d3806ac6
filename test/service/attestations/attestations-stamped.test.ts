// Attestations that share stamps: over the real ledger, with other processes in between, and at a tenant's rate.
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, describe, expect, test, vi } from "vitest";
import type { ComplianceReceipt } from "../../../evidence/core/formats/compliance-receipt.ts";
import { hashReceiptCore, withoutAuthentication } from "../../../evidence/core/formats/receipt.ts";
import { parseNode } from "../../../evidence/core/merkle/hash.ts";
import { verifyInclusion } from "../../../evidence/core/merkle/merkle-proof.ts";
import type { Caller } from "../../../service/tenants/tenants.ts";
import { type Interceptor, outage, undisturbed } from "../../support/faults.ts";
import { type Ledger, MINUTE, startLedgerStack } from "../../support/ledger-stack.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { requestOf, stampedRoot, TestProcess } from "../../support/test-process.ts";
import { ascending } from "../../support/trees.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

interface World {
  readonly ledger: Ledger;
  readonly caller: Caller;
}

async function newWorld(): Promise<World> {
  const ledger = await stack.newLedger();
  return { ledger, caller: await ledger.newTenant("tenant") };
}

/** Enough for a machine that is busy with other things. */

/** A process whose stamps are held until it is told to let them go. */
function holdStamps(ledger: Ledger, meanwhile: Interceptor = undisturbed) {
  const gate = Promise.withResolvers<void>();
  let writes = 0;
  const intercept: Interceptor = async (call, send) => {
    if (call.name === "Stamp") await gate.promise;
    const answer = await meanwhile(call, send);
    if (call.name === "TransactWriteItems") writes++;
    return answer;
  };
  /** Returns once so many transactions are done, and their receipts on the way to their stamps. */
  const written = async (count: number): Promise<void> => {
    await vi.waitFor(() => expect(writes).toBe(count), PATIENCE_MS);
    await setImmediate();
  };
  return {
    process: new TestProcess(ledger, intercept, { stampBudgetMs: PATIENCE_MS }),
    release: gate.resolve,
    written,
  };
}

type Held = ReturnType<typeof holdStamps>;

const countOf = (name: string, { calls }: TestProcess): number =>
  calls.steps.filter((step) => step.name === name).length;

/** Throws unless the receipt lies under the answer's root, and its token, if it has one, covers that root. */
function checkAnswer({ receipts, merkle_proof, evidence_chain, tsa_timestamp }: ComplianceReceipt): void {
  const { event_inclusion_proof: proof, merkle_root } = merkle_proof;
  const [leafHash] = receipts.map((receipt) => hashReceiptCore(withoutAuthentication(receipt)));
  expect([proof.root, proof.leaf_index]).toEqual([merkle_root, receipts[0]?.sequence]);
  expect(evidence_chain.sequence).toBe(proof.tree_size - 1);
  verifyInclusion(
    leafHash ?? Uint8Array.of(),
    proof.leaf_index,
    proof.tree_size,
    proof.path.map(parseNode),
    parseNode(merkle_root),
  );
  if (tsa_timestamp.status === "included") expect(stampedRoot(tsa_timestamp)).toBe(merkle_root);
}

const treeSizesOf = (answers: readonly ComplianceReceipt[]): number[] =>
  answers.map(({ merkle_proof }) => merkle_proof.event_inclusion_proof.tree_size);

const statusesOf = (answers: readonly ComplianceReceipt[]): string[] =>
  answers.map(({ tsa_timestamp }) => tsa_timestamp.status);

/** Two calls of one process that share its second stamp, with another process's receipts between their own. */
async function shareAcross({ ledger, caller }: World, { process, release, written }: Held) {
  const first = process.attest(caller, requestOf("call-0"));
  await written(1);
  const second = process.attest(caller, requestOf("call-1"));
  await written(2);
  const other = ledger.newProcess();
  await Promise.all(ascending(3, (i) => other.attest(caller, requestOf(`other-${i}`))));
  const third = process.attest(caller, requestOf("call-2"));
  await written(3);
  release();
  const answers = await Promise.all([first, second, third]);
  for (const answer of answers) checkAnswer(answer);
  return answers;
}

test("a call proves its receipt over the leaves that other processes wrote in between", async () => {
  const world = await newWorld();
  const held = holdStamps(world.ledger);
  const answers = await shareAcross(world, held);
  expect(treeSizesOf(answers)).toEqual([1, 6, 6]);
  expect(statusesOf(answers)).toEqual(["included", "included", "included"]);
  expect(countOf("Stamp", held.process)).toBe(2);
});

test("where those leaves can't be read, the receipt keeps its own root and waits for the seal", async () => {
  const world = await newWorld();
  const held = holdStamps(world.ledger, (call, send) => {
    if (call.name === "BatchGetItem") throw outage();
    return send();
  });
  const answers = await shareAcross(world, held);
  expect(treeSizesOf(answers)).toEqual([1, 2, 6]);
  expect(statusesOf(answers)).toEqual(["included", "pending", "included"]);
  expect(held.process.faults).toMatchObject([{ code: "ledger_unavailable" }]);
});

test("a replay shares the stamp of a later receipt, and proves its own under that root", async () => {
  const { ledger, caller } = await newWorld();
  const { receipts } = await ledger.newProcess().attest(caller, requestOf("call"), "key");
  await ledger.newProcess().attest(caller, requestOf("between"));
  const found = Promise.withResolvers<void>();
  const { process, release, written } = holdStamps(ledger, async (call, send) => {
    const answer = await send();
    if (call.name === "BatchGetItem") found.resolve();
    return answer;
  });
  const newest = process.attest(caller, requestOf("newest"));
  await written(1);
  const replay = process.attest(caller, requestOf("call"), "key");
  // The receipt was found: all that is left is the stamp.
  await found.promise;
  await setImmediate();
  release();
  const answers = await Promise.all([newest, replay]);
  for (const answer of answers) checkAnswer(answer);
  expect(answers[1]?.receipts).toEqual(receipts);
  expect(treeSizesOf(answers)).toEqual([3, 3]);
  expect(countOf("Stamp", process)).toBe(1);
});

test("callers of two processes at once, whatever is slow, get proofs that hold and few tokens", async () => {
  const delays = fc.infiniteStream(fc.nat(30));
  const property = fc.asyncProperty(delays, fc.integer({ min: 1, max: 24 }), async (delaysMs, count) => {
    const { ledger, caller } = await newWorld();
    const slow: Interceptor = async (call, send) => {
      if (/Stamp|Transact|GenerateMac/.test(call.name)) await sleep(delaysMs.next().value);
      return send();
    };
    const processes = ascending(2, () => new TestProcess(ledger, slow, { stampBudgetMs: PATIENCE_MS }));
    const answers = await Promise.all(
      processes.flatMap((process, i) =>
        ascending(count, (j) => process.attest(caller, requestOf(`call-${i}-${j}`))),
      ),
    );
    for (const answer of answers) checkAnswer(answer);
    expect(new Set(statusesOf(answers))).toEqual(new Set(["included"]));
    expect((await ledger.check()).receipts).toBe(2 * count);
    for (const process of processes) {
      expect([process.counted.attestations, process.faults]).toEqual([count, []]);
      expect(countOf("Stamp", process)).toBeLessThanOrEqual(countOf("TransactWriteItems", process));
    }
  });
  await fc.assert(property, { numRuns: 8 });
});

describe("a tenant's rate of stamps", () => {
  const PER_MINUTE = 20;

  /** Attests for a minute, in two processes by turns. Returns what became of the timestamps. */
  async function attestForAMinute(inlineStampsPerMinute: number | null) {
    const { ledger, caller } = await newWorld();
    const processes = ascending(2, () => ledger.newProcess());
    const statuses: string[] = [];
    for (let i = 0; i < PER_MINUTE; i++, ledger.now += MINUTE / PER_MINUTE) {
      const process = processes[i % 2] ?? ledger.newProcess();
      const answer = await process.attest({ ...caller, inlineStampsPerMinute }, requestOf("call"));
      checkAnswer(answer);
      statuses.push(...statusesOf([answer]));
    }
    const asked = processes.reduce((sum, process) => sum + countOf("Stamp", process), 0);
    return { statuses, asked };
  }

  test("holds across processes: the first receipt of each part of the minute is stamped", async () => {
    const { statuses, asked } = await attestForAMinute(4);
    const stamped = statuses.flatMap((status, i) => (status === "included" ? [i] : []));
    expect([stamped, asked]).toEqual([[0, 5, 10, 15], 4]);
  });

  test("of none asks no authority, and each receipt waits for its seal", async () => {
    const statuses = ascending(PER_MINUTE, () => "pending");
    expect(await attestForAMinute(0)).toEqual({ statuses, asked: 0 });
  });

  test("that is not set lets every receipt be stamped", async () => {
    const statuses = ascending(PER_MINUTE, () => "included");
    expect(await attestForAMinute(null)).toEqual({ statuses, asked: PER_MINUTE });
  });

  test("counts receipts that are written together as one", async () => {
    const { ledger, caller } = await newWorld();
    const limited = { ...caller, inlineStampsPerMinute: 1 };
    await ledger.newProcess().attest(limited, requestOf("call"));
    // The minute ends while the first transaction is under way, and five calls wait for it.
    const process = ledger.newProcess(async (call, send) => {
      if (call.name === "TransactWriteItems" && call.nth === 1) ledger.now += MINUTE;
      return send();
    });
    const answers = await Promise.all(ascending(6, (i) => process.attest(limited, requestOf(`call-${i}`))));
    expect(statusesOf(answers)).toEqual(["pending", ...ascending(5, () => "included")]);
    expect(countOf("Stamp", process)).toBe(1);
  });
});
