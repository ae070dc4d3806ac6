// What a session says of many files beside their verdicts: what is here, what is not, and what has remarks.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concatBytes } from "../../../../evidence/core/bytes.ts";
import {
  type Receipt,
  receiptLeaf,
  withoutAuthentication,
} from "../../../../evidence/core/formats/receipt.ts";
import { ChainHistory } from "../../../../evidence/core/log/chain-history.ts";
import type { TenantHistory } from "../../../../evidence/core/verify/tenant-history.ts";
import type { Evidence } from "../../../../evidence/reader/evidence.ts";
import { Inventory, type SessionSummary } from "../../../../evidence/reader/session/summary.ts";
import { describeSummary } from "../../../../evidence/reader/text/describe-summary.ts";
import { textIn } from "../../../../evidence/reader/text/text.ts";
import { evidenceFor, forgeReceipts } from "../../../support/lying-service.ts";

const TURNS = 7;
/** A conversation that is alone on its chain. */
const chain = forgeReceipts(Array.from({ length: TURNS }, (_, i) => (i === 2 ? { verdict: "MODIFY" } : {})));

const CHAIN_ID = chain[0]?.chain_id ?? "";

const pieceOf = (receipts: readonly Receipt[], index: number): Evidence => ({
  kind: "receipt",
  receipt: evidenceFor(receipts, index),
});

function summaryOf(indices: readonly number[], history: TenantHistory | null = null): SessionSummary {
  const inventory = new Inventory(new Map());
  for (const index of indices) inventory.add(pieceOf(chain, index), `${index}.json`);
  return inventory.summary(history);
}

/** The history of the chain's first receipts. */
function historyOf(size: number): TenantHistory {
  const leaves = concatBytes(...chain.slice(0, size).map((one) => receiptLeaf(withoutAuthentication(one))));
  const known = new ChainHistory(CHAIN_ID, (from, to) => leaves.slice(64 * from, 64 * to));
  const root = evidenceFor(chain.slice(0, size), 0).merkle_proof.merkle_root;
  known.add({ head_index: 0, tree_size: size, root, leaf_index: 0, seal_index: 0 });
  return { chains: new Map([[CHAIN_ID, known]]), tenantAnchor: null };
}

/** The turns, from 1, that a summary says are not here. */
const missingIn = ({ missingTurns }: SessionSummary): number[] =>
  missingTurns
    .flatMap(({ ranges }) => ranges)
    .flatMap(({ from, to }) => Array.from({ length: (to ?? from) - from + 1 }, (_, i) => from + i));

const someTurns = fc.subarray([...chain.keys()], { minLength: 1 });

describe("the summary of some turns of a conversation", () => {
  test("names every turn before the last that is not here, and none that is", () => {
    fc.assert(
      fc.property(someTurns, (indices) => {
        const last = Math.max(...indices);
        const absent = [...chain.keys()].filter((index) => index < last && !indices.includes(index));
        expect(missingIn(summaryOf(indices))).toEqual(absent.map((index) => index + 1));
      }),
    );
  });

  test("is the same in whichever order the files come, however often", () => {
    const shuffled = someTurns.chain((indices) =>
      fc.tuple(
        fc.constant(indices),
        fc.shuffledSubarray([...indices, ...indices], { minLength: 2 * indices.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([indices, repeated]) => {
        const [{ files: _, ...once }, { files: __, ...often }] = [summaryOf(indices), summaryOf(repeated)];
        expect({ ...often, remarks: [] }).toEqual({ ...once, remarks: [] });
        expect(once).toMatchObject({ receipts: indices.length, conversations: 1 });
      }),
    );
  });

  test("lists the numbers of the chain, and the gaps between the first and the last", () => {
    const here = { chainId: CHAIN_ID, receipts: 3, first: 1, last: 5 };
    expect(summaryOf([5, 1, 2]).chains).toEqual([
      { ...here, inHistory: null, missing: [{ from: 3, to: 4 }] },
    ]);
  });

  test.each<[size: number, missing: [number, number][], numbers: string]>([
    [
      7,
      [
        [0, 0],
        [3, 4],
        [6, 6],
      ],
      "0, 3–4, 6",
    ],
    [
      6,
      [
        [0, 0],
        [3, 4],
      ],
      "0, 3–4",
    ],
    [
      2,
      [
        [0, 0],
        [3, 4],
      ],
      "0, 3–4",
    ],
  ])("names those at both ends of the chain, with a history of %i receipts", (size, missing, numbers) => {
    const summary = summaryOf([5, 1, 2], historyOf(size));
    expect(summary.chains).toMatchObject([
      { inHistory: size, missing: missing.map(([from, to]) => ({ from, to })) },
    ]);
    expect(describeSummary(textIn("en"), summary).chains[0]).toContain(
      `not here: ${numbers}; the history has ${size} receipts.`,
    );
    expect(describeSummary(textIn("de"), summary).chains[0]).toContain(
      `nicht hier sind: ${numbers}; der Verlauf hat ${size} Belege.`,
    );
  });

  test("says that none of the history is missing", () => {
    const summary = summaryOf([...chain.keys()], historyOf(TURNS));
    expect(describeSummary(textIn("en"), summary).chains[0]).toContain(
      "none is missing; the history has 7 receipts.",
    );
  });

  test("counts a receipt with a remark once, and says where it is", () => {
    expect(summaryOf([1, 2, 2])).toMatchObject({
      remarked: 1,
      remarks: [{ receipts: [{ file: "2.json", turn: 3 }] }],
    });
    expect(summaryOf([0, 1])).toMatchObject({ remarked: 0, remarks: [] });
  });
});

test("a part that may continue another takes its turns for granted, and no more", () => {
  const inventory = new Inventory(new Map());
  inventory.add(pieceOf(chain, 0), "first.json");
  inventory.add(pieceOf(chain, 4), "fifth.json");
  const { conversations, missingTurns } = inventory.summary(null);
  expect(conversations).toBe(1);
  expect(missingTurns).toMatchObject([{ last: { file: "fifth.json" }, ranges: [{ from: 2, to: 4 }] }]);
});
