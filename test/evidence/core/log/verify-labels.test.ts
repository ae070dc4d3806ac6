// The sealed heads of a chain in the public log: each once under its label, in its place, and no other one. The walk may
// cover the whole log or a part of it.
import { describe, expect, test } from "vitest";
import { concatBytes, formatHex } from "../../../../evidence/core/bytes.ts";
import { chainHeadEntry, chainHeadLabel } from "../../../../evidence/core/formats/metachain.ts";
import { ChainHistory } from "../../../../evidence/core/log/chain-history.ts";
import { appendEntry } from "../../../../evidence/core/log/entry.ts";
import { LabelSearch } from "../../../../evidence/core/log/label-search.ts";
import {
  labelOf,
  labelsOf,
  verifyLabels,
  verifyUnused,
} from "../../../../evidence/core/log/verify-labels.ts";
import { formatNode, hashLeaf } from "../../../../evidence/core/merkle/hash.ts";
import type { TreeLeaf } from "../../../../evidence/core/merkle/merkle-tree.ts";
import { treeOf } from "../../../support/rfc9162.ts";

const chain_id = "c".repeat(32);
const leaves = [0, 1, 2].map((i) => hashLeaf(Uint8Array.of(i)));
const rootOf = (size: number): string =>
  formatNode(treeOf((i) => leaves[i] ?? expect.unreachable())(0, size));
const headWith = (head_index: number, tree_size: number) =>
  chainHeadEntry({ chain_id, head_index, tree_size, root: rootOf(tree_size) });
const strange = (n: number): Uint8Array =>
  chainHeadEntry({ chain_id: "d".repeat(32), head_index: n, tree_size: 1, root: rootOf(1) });

/** Three heads, which are the entries 1, 2 and 4. */
const history = new ChainHistory(chain_id, (from, to) => concatBytes(...leaves.slice(from, to)));
for (const [head_index, leaf_index] of [1, 2, 4].entries())
  history.add({
    ...{ head_index, leaf_index, seal_index: head_index },
    ...{ tree_size: head_index + 1, root: rootOf(head_index + 1) },
  });
const LOG = [strange(0), headWith(0, 1), headWith(1, 2), strange(1), headWith(2, 3), strange(2)];

/** A walk over the entries from `from` on: where it is not 0, an earlier walk passed those before. */
function walk(entries: readonly Uint8Array[], from = 0): LabelSearch {
  let last: TreeLeaf | null = null;
  for (const entry of entries.slice(0, from)) last = appendEntry(last, entry);
  const search = new LabelSearch(new Set(labelsOf(history)), last);
  for (const entry of entries.slice(from)) search.add(entry);
  return search;
}

test("the labels are those of all heads and of the next one", () => {
  const expected = [0, 1, 2, 3].map((index) => formatHex(chainHeadLabel(chain_id, index)));
  expect([...labelsOf(history)]).toEqual(expected);
  expect(labelOf(chain_id, 2)).toBe(expected[2]);
});

describe("the labels of a chain's heads", () => {
  test.each([
    ["the whole log", 6, 0, 3],
    ["the log up to its last head", 5, 0, 3],
    ["the log before its last head", 4, 0, 2],
    ["the log before its first head", 1, 0, 0],
    ["the entries from the first head on", 6, 1, 3],
    ["the entries behind the first head", 6, 2, 2],
    ["the entries behind the last head", 6, 5, 0],
  ])("are found by a walk over %s", (_, size, from, found) => {
    expect(verifyLabels(history, walk(LOG.slice(0, size), from), from)).toBe(found);
  });

  const missing = (index: number) =>
    `the public log has not head ${index} of chain ${chain_id} once and in its place`;
  const untold = `the public log has head 3 of chain ${chain_id}, which the history does not tell`;
  test.each<[what: string, entries: readonly Uint8Array[], from: number, sentence: string]>([
    ["one is missing", LOG.with(2, strange(9)), 0, missing(1)],
    ["one is of another size", LOG.with(2, headWith(1, 3)), 0, missing(1)],
    ["one is there twice", [...LOG, headWith(1, 2)], 0, missing(1)],
    ["two have changed places", LOG.with(1, headWith(1, 2)).with(2, headWith(0, 1)), 0, missing(0)],
    ["one is at another place", LOG.with(4, strange(9)).with(5, headWith(2, 3)), 0, missing(2)],
    ["one of an earlier walk is there again", [...LOG, headWith(0, 1)], 5, missing(0)],
    ["one that comes later is there already", [headWith(2, 3), ...LOG.slice(1, 4)], 0, missing(2)],
    ["there is one more", [...LOG, headWith(3, 3)], 0, untold],
    ["there is one more behind an earlier walk", [...LOG, headWith(3, 3)], 6, untold],
  ])("refute a history where %s", (_, entries, from, sentence) => {
    expect(() => verifyLabels(history, walk(entries, from), from)).toThrow(
      expect.objectContaining({ code: "proof_invalid", message: sentence }),
    );
  });
});

test("a number that no head has is unused", () => {
  expect(() => verifyUnused(chain_id, 3, walk(LOG))).not.toThrow();
  expect(() => verifyUnused(chain_id, 2, walk(LOG))).toThrow(
    expect.objectContaining({
      code: "proof_invalid",
      message: `the public log has head 2 of chain ${chain_id}, which the history does not tell`,
    }),
  );
});
