// Calls of one chain that share stamps, in a time that stands still but for what the tests let pass.
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { utf8 } from "../../../evidence/core/bytes.ts";
import { PENDING_TIMESTAMP, type TsaTimestamp } from "../../../evidence/core/formats/metachain.ts";
import { formatNode, hashBytes } from "../../../evidence/core/merkle/hash.ts";
import { verifyInclusion } from "../../../evidence/core/merkle/merkle-proof.ts";
import { appendLeaf, rootAt, type TreeLeaf } from "../../../evidence/core/merkle/merkle-tree.ts";
import { ChainStamps, type StampedProof } from "../../../service/attestations/chain-stamps.ts";
import type { Appended } from "../../../service/ledger/appended.ts";
import { leafAttributes } from "../../../service/ledger/log.ts";
import type { Item } from "../../../service/table/item.ts";
import { Table } from "../../../service/table/table.ts";
import type { Stamp } from "../../../service/timestamps/ports.ts";
import { ascending } from "../../support/trees.ts";

const BUDGET_MS = 1_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The root takes the place of the token that covers it. */
const tokenOver = (root: Uint8Array): TsaTimestamp => ({
  status: "included",
  timestamp_token: formatNode(root),
  tsa_url: "https://tsa.test",
  covers: "merkle_root",
});

/** An authority that answers after so many milliseconds, one number a request; null: never. */
function authorityOf(...answers: (number | null)[]) {
  const asked: { readonly root: string; readonly at: number; readonly budgetMs: number }[] = [];
  const stamp: Stamp = (root, budgetMs) => {
    const after = answers[asked.push({ root: formatNode(root), at: performance.now(), budgetMs }) - 1];
    return new Promise((resolve) => {
      if (after !== null) setTimeout(resolve, after ?? 0, tokenOver(root));
    });
  };
  return { stamp, asked };
}

/** The stamps of a process. Its table holds `items`; without any it must not be needed, and whatever asks it fails. */
function stampsOf(stamp: Stamp, items?: readonly Item[]) {
  const faults: unknown[] = [];
  const batchGet = { value: async () => items };
  const table: Table = Object.create(Table.prototype, items === undefined ? {} : { batchGet });
  const stamps = new ChainStamps({
    stamp,
    table,
    budgetMs: BUDGET_MS,
    onFault: (error) => faults.push(error),
  });
  return { stamps, faults };
}

/** A chain whose receipts are written in batches. */
class TestChain {
  readonly #id: string;
  readonly #seed: string;
  #newest: TreeLeaf | null = null;

  constructor(id = "a", seed = "") {
    this.#id = id;
    this.#seed = seed;
  }

  write(count = 1): Appended[] {
    const writtenWith = ascending(count, () => this.#append());
    return writtenWith.map((leaf) => {
      const receipt = { leaf, core: { chain_id: this.#id } };
      return { receipt, writtenWith, previousIssuedAt: null, isReplay: false } as unknown as Appended;
    });
  }

  #append(): TreeLeaf {
    const index = this.#newest === null ? 0 : this.#newest.leafIndex + 1;
    this.#newest = appendLeaf(this.#newest, hashBytes(utf8(`${this.#seed}${index}`)));
    return this.#newest;
  }
}

const rootOf = ({ writtenWith }: Appended): string => {
  const head = writtenWith.at(-1);
  return head === undefined ? "none" : formatNode(rootAt(head));
};

/** Throws unless the proof is the receipt's, and the token, if there is one, covers its root. */
function checkAnswer({ receipt: { leaf } }: Appended, { proof, timestamp }: StampedProof): void {
  verifyInclusion(leaf.leafHash, leaf.leafIndex, proof.head.leafIndex + 1, proof.path, proof.root);
  expect(proof.root).toEqual(rootAt(proof.head));
  if (timestamp.status === "included") expect(timestamp.timestamp_token).toBe(formatNode(proof.root));
}

const sizeOf = ({ proof }: StampedProof): number => proof.head.leafIndex + 1;

async function stampAll(stamps: ChainStamps, calls: readonly Appended[]): Promise<StampedProof[]> {
  const answers = await Promise.all(calls.map((call) => stamps.stamp(call)));
  for (const [i, call] of calls.entries()) {
    const answer = answers[i];
    if (answer !== undefined) checkAnswer(call, answer);
  }
  return answers;
}

test("receipts that were written together share one token", async () => {
  const { stamp, asked } = authorityOf(10);
  const answers = stampAll(stampsOf(stamp).stamps, new TestChain().write(7));
  await vi.runAllTimersAsync();
  expect((await answers).map(sizeOf)).toEqual(ascending(7, () => 7));
  expect(asked).toHaveLength(1);
});

test("what arrives while a stamp is under way shares the next, over the newest root among them", async () => {
  const { stamp, asked } = authorityOf(300, 300);
  const [{ stamps, faults }, chain] = [stampsOf(stamp), new TestChain()];
  const first = stampAll(stamps, chain.write());
  const later = ascending(5, (i) => stampAll(stamps, chain.write(i + 1)));
  await vi.runAllTimersAsync();
  expect((await first).map(sizeOf)).toEqual([1]);
  expect((await Promise.all(later)).flat().map(sizeOf)).toEqual(ascending(15, () => 16));
  expect(asked.map(({ at }) => at - (asked[0]?.at ?? 0))).toEqual([0, 300]);
  expect(faults).toEqual([]);
});

test("an older receipt that joins late, as a replay may, does not take the root back", async () => {
  const [{ stamps }, chain] = [stampsOf(authorityOf(300, 300).stamp), new TestChain()];
  const [first, older, newer] = [chain.write(), chain.write(), chain.write()];
  const answers = stampAll(stamps, [...first, ...newer, ...older]);
  await vi.runAllTimersAsync();
  expect((await answers).map(sizeOf)).toEqual([1, 3, 3]);
});

test("a call that the stamp under way covers already waits for no other", async () => {
  const { stamp, asked } = authorityOf(100);
  const [{ stamps }, chain] = [stampsOf(stamp), new TestChain()];
  const batch = chain.write(4);
  const first = stampAll(stamps, batch.slice(3));
  await vi.advanceTimersByTimeAsync(50);
  const second = stampAll(stamps, batch.slice(1, 2));
  await vi.advanceTimersByTimeAsync(50);
  expect([await first, await second].flat().map(sizeOf)).toEqual([4, 4]);
  expect(asked).toHaveLength(1);
});

test("chains do not wait for each other", async () => {
  const { stamp, asked } = authorityOf(100, 100);
  const { stamps } = stampsOf(stamp);
  const answers = [new TestChain("a"), new TestChain("b")].map((chain) => stampAll(stamps, chain.write()));
  await vi.advanceTimersByTimeAsync(100);
  expect((await Promise.all(answers)).flat().map(({ timestamp }) => timestamp.status)).toEqual([
    "included",
    "included",
  ]);
  expect(asked).toHaveLength(2);
});

test("an authority that says nothing costs a call its budget, and the receipt keeps its own root", async () => {
  const { stamp } = authorityOf(null);
  const [call] = new TestChain().write();
  if (call === undefined) throw new Error("no call");
  const start = performance.now();
  const answer = stampsOf(stamp).stamps.stamp(call);
  await vi.advanceTimersByTimeAsync(BUDGET_MS);
  const { proof, timestamp } = await answer;
  expect(timestamp).toEqual(PENDING_TIMESTAMP);
  expect(formatNode(proof.root)).toBe(rootOf(call));
  expect(performance.now() - start).toBe(BUDGET_MS);
});

test("an authority that answers in the last millisecond of the budget is in time", async () => {
  const { stamp } = authorityOf(BUDGET_MS - 1);
  const answers = stampAll(stampsOf(stamp).stamps, new TestChain().write());
  await vi.runAllTimersAsync();
  expect((await answers).map(({ timestamp }) => timestamp.status)).toEqual(["included"]);
});

test("each call waits no longer than its own budget, whoever it shares a stamp with", async () => {
  // Nobody gets the first one. The second begins with what is left to its most patient call.
  const { stamp, asked } = authorityOf(null, 700);
  const [{ stamps }, chain] = [stampsOf(stamp), new TestChain()];
  const first = stampAll(stamps, chain.write());
  await vi.advanceTimersByTimeAsync(500);
  const second = stampAll(stamps, chain.write());
  await vi.advanceTimersByTimeAsync(400);
  const third = stampAll(stamps, chain.write());
  await vi.runAllTimersAsync();
  const answers = [await first, await second, await third].flat();
  expect(answers.map(({ timestamp }) => timestamp.status)).toEqual(["pending", "pending", "included"]);
  expect(answers.map(sizeOf)).toEqual([1, 2, 3]);
  expect(asked.map(({ budgetMs }) => budgetMs)).toEqual([1_000, 900]);
});

test("a stamp is not asked for where its calls have waited too long to give it half of the budget", async () => {
  const { stamp, asked } = authorityOf(600, 0);
  const [{ stamps }, chain] = [stampsOf(stamp), new TestChain()];
  const answers = [stampAll(stamps, chain.write()), stampAll(stamps, chain.write())];
  // The second is not kept until its own budget ends: nothing more can come.
  await vi.advanceTimersByTimeAsync(600);
  expect((await Promise.all(answers)).flat().map(({ timestamp }) => timestamp.status)).toEqual([
    "included",
    "pending",
  ]);
  expect(asked).toHaveLength(1);
});

test("a fault of our own leaves all who share the stamp pending, and the next call is stamped again", async () => {
  const fault = new Error("a fault of our own");
  const failOnce = vi.fn<Stamp>().mockRejectedValueOnce(fault).mockImplementation(authorityOf().stamp);
  const [{ stamps, faults }, chain] = [stampsOf(failOnce), new TestChain()];
  const broken = await stampAll(stamps, chain.write(3));
  const later = stampAll(stamps, chain.write());
  await vi.runAllTimersAsync();
  expect(broken.map(({ timestamp }) => timestamp.status)).toEqual(["pending", "pending", "pending"]);
  expect((await later).map(({ timestamp }) => timestamp.status)).toEqual(["included"]);
  expect(faults).toEqual([fault]);
});

test("a table whose leaves lead to another root than was stamped is not believed", async () => {
  const { stamp } = authorityOf(100, 100);
  const [chain, forged] = [new TestChain(), new TestChain("a", "forged")];
  const items = forged.write(8).map(({ receipt: { leaf } }) => leafAttributes("a", leaf));
  const { stamps, faults } = stampsOf(stamp, items);
  const calls = [chain.write(), chain.write(), chain.write(5), chain.write()].flatMap((batch) =>
    batch.slice(0, 1),
  );
  // The first is stamped alone. The third was written by another process.
  const answers = stampAll(stamps, calls.toSpliced(2, 1));
  await vi.runAllTimersAsync();
  expect((await answers).map(({ timestamp }) => timestamp.status)).toEqual([
    "included",
    "pending",
    "included",
  ]);
  expect((await answers).map(sizeOf)).toEqual([1, 2, 8]);
  expect(faults).toMatchObject([{ code: "ledger_corrupt" }]);
});

interface Batch {
  readonly pauseMs: number;
  readonly count: number;
}

/** What becomes of one request: a token or none, after so long. */
interface Fate {
  readonly afterMs: number;
  readonly isGranted: boolean;
}

/** An authority that is never asked twice at a time for one chain, and gives up at the end of each budget. */
function fatefulAuthority(fates: Iterator<Fate>) {
  const roots: string[] = [];
  let underWay = 0;
  const stamp: Stamp = async (root, budgetMs) => {
    expect(++underWay).toBe(1);
    roots.push(formatNode(root));
    const { afterMs, isGranted }: Fate = fates.next().value;
    await new Promise((resolve) => setTimeout(resolve, Math.min(afterMs, budgetMs)));
    underWay--;
    return isGranted && afterMs < budgetMs ? tokenOver(root) : PENDING_TIMESTAMP;
  };
  return { stamp, roots };
}

/** Lets the batches come and checks every answer. Returns the roots as written and as stamped, and what the answers say. */
async function simulate(batches: readonly Batch[], fates: Iterator<Fate>) {
  const [authority, chain] = [fatefulAuthority(fates), new TestChain()];
  const { stamps, faults } = stampsOf(authority.stamp);
  const written: string[] = [];
  const answers: Promise<TsaTimestamp["status"]>[] = [];
  for (const { pauseMs, count } of batches) {
    await vi.advanceTimersByTimeAsync(pauseMs);
    const calls = chain.write(count);
    written.push(...calls.slice(0, 1).map(rootOf));
    answers.push(...calls.map((call) => answerInTime(stamps, call)));
  }
  await vi.runAllTimersAsync();
  const statuses = await Promise.all(answers);
  expect(faults).toEqual([]);
  return { written, stamped: authority.roots, statuses };
}

async function answerInTime(stamps: ChainStamps, call: Appended): Promise<TsaTimestamp["status"]> {
  const start = performance.now();
  const answer = await stamps.stamp(call);
  expect(performance.now() - start).toBeLessThanOrEqual(BUDGET_MS);
  checkAnswer(call, answer);
  // Without a token there is no reason to wait for a later root.
  if (answer.timestamp.status === "pending") expect(formatNode(answer.proof.root)).toBe(rootOf(call));
  return answer.timestamp.status;
}

const batches = fc.array(fc.record({ pauseMs: fc.nat(400), count: fc.integer({ min: 1, max: 5 }) }), {
  minLength: 1,
  maxLength: 20,
});
const fatesOf = (isGranted: fc.Arbitrary<boolean>, mostMs: number) =>
  fc.infiniteStream(fc.record({ afterMs: fc.oneof(fc.nat(mostMs), fc.constant(0)), isGranted }));

test("whatever comes when, every answer proves its receipt in time, and each stamp is over a newer root", async () => {
  const anyFates = fatesOf(fc.boolean(), 1.5 * BUDGET_MS);
  const property = fc.asyncProperty(batches, anyFates, async (comes, fates) => {
    const { written, stamped } = await simulate(comes, fates);
    expect(stamped).toEqual(written.filter((root) => stamped.includes(root)));
  });
  await fc.assert(property, { numRuns: 200 });
});

test("an authority that needs less than half of the budget leaves nobody without a token", async () => {
  const goodFates = fatesOf(fc.constant(true), BUDGET_MS / 2 - 1);
  const property = fc.asyncProperty(batches, goodFates, async (comes, fates) => {
    const { statuses } = await simulate(comes, fates);
    expect(new Set(statuses)).toEqual(new Set(["included"]));
  });
  await fc.assert(property, { numRuns: 100 });
});
