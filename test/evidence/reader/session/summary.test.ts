// What a session says of many files beside their verdicts: what is here, what is not, and what has remarks.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Receipt } from "../../../../evidence/core/formats/receipt.ts";
import type { Evidence } from "../../../../evidence/reader/evidence.ts";
import { Inventory, type SessionSummary } from "../../../../evidence/reader/session/summary.ts";
import { evidenceFor, forgeReceipts } from "../../../support/lying-service.ts";

const TURNS = 7;
/** A conversation that is alone on its chain. */
const chain = forgeReceipts(Array.from({ length: TURNS }, (_, i) => (i === 2 ? { verdict: "MODIFY" } : {})));

const pieceOf = (receipts: readonly Receipt[], index: number): Evidence => ({
  kind: "receipt",
  receipt: evidenceFor(receipts, index),
});

function summaryOf(indices: readonly number[]): SessionSummary {
  const inventory = new Inventory(new Map());
  for (const index of indices) inventory.add(pieceOf(chain, index), `${index}.json`);
  return inventory.summary();
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
    expect(summaryOf([5, 1, 2]).chains).toEqual([
      { chainId: chain[0]?.chain_id, receipts: 3, first: 1, last: 5, missing: [{ from: 3, to: 4 }] },
    ]);
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
  const { conversations, missingTurns } = inventory.summary();
  expect(conversations).toBe(1);
  expect(missingTurns).toMatchObject([{ last: { file: "fifth.json" }, ranges: [{ from: 2, to: 4 }] }]);
});
