// Evidence that holds piece by piece, and checked together shows a service that told two histories.
import { describe, expect, test } from "vitest";
import {
  bundleEvidenceSchema,
  evidenceSchema,
  type ReceiptEvidence,
} from "../../../evidence/core/formats/evidence.ts";
import type { Receipt, ReceiptCore } from "../../../evidence/core/formats/receipt.ts";
import type { Check } from "../../../evidence/core/verify/check.ts";
import { Conversations } from "../../../evidence/reader/conversations.ts";
import { CrossCheck } from "../../../evidence/reader/cross-check.ts";
import type { BundleFile, Evidence } from "../../../evidence/reader/evidence.ts";
import { evidenceFor, forgeReceipts, linkTo } from "../../support/lying-service.ts";
import { readEvidence, readSeal } from "../../support/vector-files.ts";

const OTHER_NODE = `0x${"5".repeat(64)}`;
const OTHER_CHAIN = { chain_id: "f".repeat(32) };

const answer = (chain: readonly Receipt[], index: number): Evidence => ({
  kind: "receipt",
  receipt: evidenceFor(chain, index),
});

const proof = ({ merkle_proof }: ReceiptEvidence): Evidence => ({ kind: "proof", receipt: { merkle_proof } });

/** The turns from `first` on of a conversation that is alone on its chain; `first` and `end` are places there, from 1. */
function page(
  chain: readonly Receipt[],
  first = 1,
  nextTurn: number | null = null,
  end?: number,
): BundleFile {
  const receipts = chain.slice(first - 1, end);
  const proofs = receipts.map((receipt, i) => {
    const evidence_chain = {
      chain_id: receipt.chain_id,
      head_hash: linkTo(receipt),
      sequence: receipt.sequence,
    };
    return { ...evidenceFor(chain, first - 1 + i), evidence_chain };
  });
  const requests = receipts.map(() => null);
  const bundle = { interaction_id: "call-1", receipts, requests, proofs, seals: [] };
  return { kind: "bundle", bundle: bundleEvidenceSchema.parse(bundle), nextTurn };
}

async function checksOf(...all: readonly Evidence[]): Promise<readonly Check[]> {
  const crossCheck = new CrossCheck();
  for (const [i, evidence] of all.entries()) crossCheck.add(evidence, `${i}.json`);
  return (await crossCheck.verify()).checks;
}

const historyOf = async (...all: readonly Evidence[]): Promise<Check | undefined> =>
  (await checksOf(...all)).find(({ name }) => name === "one_history");

const never = (): never => expect.unreachable();

const toldTwice = (place: string) => ({
  ok: false,
  detail: `there are two versions of ${place} (0.json and 1.json)`,
});

describe("evidence that is told together", () => {
  const [truth, lie] = [forgeReceipts([{}, {}]), forgeReceipts([{}, { verdict: "BLOCK" }])];
  const chain = truth[0]?.chain_id;
  const report = evidenceSchema.parse(readEvidence("receipts/hand-off.json"));
  const { event_inclusion_proof: event, cross_tenant_proof: cross } = report.merkle_proof;

  test("holds where it is of one history, and says when no receipt follows another", async () => {
    expect(await checksOf(answer(truth, 0), answer(truth, 1))).toMatchObject([{ ok: true }, { ok: true }]);
    expect(await checksOf(answer(truth, 0), answer(truth, 0))).toMatchObject([{ ok: null }, { ok: true }]);
  });

  test("does not hold with two receipts at one place of a chain", async () => {
    const expected = toldTwice(`receipt 1 of chain ${chain}`);
    expect(await historyOf(answer(truth, 1), answer(lie, 1))).toMatchObject(expected);
  });

  test("does not hold with two trees that disagree on a receipt which neither file has", async () => {
    const expected = toldTwice(`receipt 1 of chain ${chain}`);
    expect(await historyOf(answer(truth, 0), answer(lie, 0))).toMatchObject(expected);
  });

  test("does not hold with two bare proofs for one place, where the sealed head names the chain", async () => {
    const forged = { ...report.merkle_proof, event_inclusion_proof: { ...event, leaf_hash: OTHER_NODE } };
    const expected = toldTwice(`receipt ${event.leaf_index} of chain ${cross?.leaf.chain_id}`);
    expect(await historyOf(proof(report), proof({ merkle_proof: forged }))).toMatchObject(expected);
  });

  test("holds with bare proofs that name no chain: each may be of its own", async () => {
    expect(await historyOf(proof(evidenceFor(truth, 1)), proof(evidenceFor(lie, 1)))).toMatchObject({
      ok: true,
    });
  });

  test("leaves open of which service two roots of one number are, and names both files", async () => {
    const seal = { ...readSeal("seals/2.json"), merkle_root: OTHER_NODE };
    expect(await historyOf({ kind: "seal", seal }, { kind: "report", receipt: report })).toMatchObject({
      ok: null,
      detail: expect.stringMatching(
        /^there are two versions of seal 2 \(0.json and 1.json\): they are of two services/,
      ),
    });
  });

  test("holds with conversations of two tenants who named them alike", async () => {
    const other = forgeReceipts([OTHER_CHAIN, OTHER_CHAIN] satisfies Partial<ReceiptCore>[]);
    expect(await historyOf(page(truth), page(other))).toMatchObject({ ok: true });
  });

  test("holds with a conversation that began anew, for its id may have been erased, and not with two of one turn", async () => {
    const begin = { turn: 1, previous_turn_hash: null };
    const lives = forgeReceipts([{}, {}, {}, begin, { turn: 2 }]);
    const [old, anew] = [page(lives, 1, null, 3), page(lives, 4)];
    for (const pages of [
      [old, anew],
      [anew, old],
    ]) {
      const checks = await checksOf(...pages);
      expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
        ["chain_links", true],
        ["one_history", true],
        ["turn_links", true],
      ]);
      expect(checks.at(-1)?.detail).toBe("3 links from turn to turn");
    }
    const forked = forgeReceipts([{}, {}, {}, { turn: 2, previous_turn_hash: linkTo(lives[0] ?? never()) }]);
    expect(await historyOf(page(forked, 1, null, 3), page(forked, 4))).toMatchObject(
      toldTwice(`turn 2 of a conversation on chain ${chain}`),
    );
    expect(await historyOf(answer(forked, 1), answer(forked, 3))).toMatchObject({ ok: false });
  });

  test("is checked for links and history in the pages of a conversation too", async () => {
    const names = ["chain_links", "one_history", "turn_links"];
    const checks = await checksOf(page(truth), page(lie, 2));
    expect(checks.map(({ name }) => name)).toEqual(names);
    expect(checks.slice(0, 2)).toMatchObject([{ ok: false }, { ok: false }]);
  });
});

test("two pieces can be compared, and the receipts of one, but a receipt or a proof alone with nothing", () => {
  const chain = forgeReceipts([OTHER_CHAIN, OTHER_CHAIN]);
  const isComparable = (...all: readonly Evidence[]): boolean => {
    const crossCheck = new CrossCheck();
    for (const evidence of all) crossCheck.add(evidence, "it.json");
    return crossCheck.isComparable;
  };
  const seal: Evidence = { kind: "seal", seal: readSeal("seals/0.json") };
  expect([answer(chain, 0), seal, page(chain, 1, null, 1)].map((one) => isComparable(one))).toEqual([
    false,
    false,
    false,
  ]);
  expect([isComparable(page(chain)), isComparable(seal, seal)]).toEqual([true, true]);
});

describe("pages of conversations", () => {
  test("keep their links from turn to turn where only a link of the chain does not hold", async () => {
    const previous_hash = `sha256:${"5".repeat(64)}`;
    const broken = forgeReceipts([{}, { previous_hash }]);
    const checks = await checksOf(page(broken, 1, null, 1), page(broken, 2));
    expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
      ["chain_links", false],
      ["one_history", false],
      ["turn_links", true],
    ]);
  });

  const chain = forgeReceipts([{}, {}]);
  const seen = (...pages: readonly BundleFile[]): Conversations => {
    const conversations = new Conversations();
    for (const one of pages) conversations.add(one);
    return conversations;
  };

  test("are linked where any conversation has more than one", () => {
    const other = page(chain);
    const elsewhere = { ...other, bundle: { ...other.bundle, interaction_id: "call-2" } };
    expect(seen(page(chain), elsewhere).arePaged).toBe(false);
    expect(seen(page(chain), page(chain, 2), elsewhere).arePaged).toBe(true);
  });
});
