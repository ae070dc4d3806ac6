// The heads of chains as they follow from the log: one label a chain is awaited, and what stands elsewhere is no head.
import { describe, expect, test } from "vitest";
import { concatBytes } from "../../../../evidence/core/bytes.ts";
import { type ChainHead, chainHeadEntry } from "../../../../evidence/core/formats/metachain.ts";
import { ChainHistory } from "../../../../evidence/core/log/chain-history.ts";
import { appendEntry, entryCommitment } from "../../../../evidence/core/log/entry.ts";
import { HeadWalk, loggedHead } from "../../../../evidence/core/log/head-walk.ts";
import { reachOf } from "../../../../evidence/core/log/reach.ts";
import { formatNode } from "../../../../evidence/core/merkle/hash.ts";
import type { TreeLeaf } from "../../../../evidence/core/merkle/merkle-tree.ts";
import { leafHash, treeOf } from "../../../support/rfc9162.ts";

const [OWN, OTHER] = ["c".repeat(32), "d".repeat(32)];
const leaves = [0, 1, 2, 3].map((i) => new Uint8Array(64).fill(i));
const chainRoot = (size: number): string =>
  formatNode(treeOf((i) => leafHash(leaves[i] ?? expect.unreachable()))(0, size));

/** Head `index` of a chain, of one receipt more than its number, unless another size is told. */
const head = (index: number, chain_id = OWN, tree_size = index + 1): ChainHead => ({
  chain_id,
  head_index: index,
  tree_size,
  root: chainRoot(tree_size),
});
const entry = (...told: Parameters<typeof head>): Uint8Array => chainHeadEntry(head(...told));
const strange = (n: number): Uint8Array => entry(n, "e".repeat(32), 1);

function walkOver(entries: readonly Uint8Array[], walk = new HeadWalk([OWN, OTHER])): HeadWalk {
  for (const each of entries) walk.add(each);
  return walk;
}
const placesOf = (walk: HeadWalk, chain = OWN) => walk.headsOf(chain)?.map(({ leafIndex }) => leafIndex);

describe("a walk over the public log", () => {
  test("notes the heads of the chains that it looks for, and of no other", () => {
    const walk = walkOver([strange(0), entry(0), entry(0, OTHER), entry(1), strange(1), entry(2)]);
    expect([placesOf(walk), placesOf(walk, OTHER), placesOf(walk, "e".repeat(32))]).toEqual([
      [1, 3, 5],
      [2],
      undefined,
    ]);
    expect(walk.has(head(1), 3)).toBe(true);
    expect([walk.has(head(1), 5), walk.has(head(2), 3), walk.has(head(1, OWN, 3), 3)]).toEqual([
      false,
      false,
      false,
    ]);
    expect(new HeadWalk([OWN]).headsOf(OWN)).toEqual([]);
  });

  test.each<[what: string, entries: readonly Uint8Array[], places: readonly number[]]>([
    ["occurs again", [entry(0), entry(0, OWN, 4), entry(1), entry(1, OWN, 4), entry(0)], [0, 2]],
    ["occurs before its turn", [entry(2), entry(1), entry(0), entry(2), entry(1), entry(2)], [2, 4, 5]],
    ["skips a number", [entry(0), entry(2), entry(3)], [0]],
    ["begins at 1", [entry(1), entry(2)], []],
  ])("ignores a label that %s", (_, entries, places) => {
    expect(placesOf(walkOver(entries))).toEqual(places);
  });

  test("keeps nothing of a label that occurs 40,000 times", () => {
    const again = entry(0);
    const walk = walkOver([again, entry(1), ...Array.from({ length: 40_000 }, () => again)]);
    expect([walk.size, placesOf(walk)]).toEqual([40_002, [0, 1]]);
  });

  test("goes on where an earlier one ended, with the heads of that one", () => {
    const entries = [entry(0), strange(0), entry(1), entry(0), entry(2), entry(0, OTHER)];
    for (let size = 1; size < entries.length; size++) {
      const first = walkOver(entries.slice(0, size));
      const last = first.last ?? expect.unreachable();
      const heads = new Map([[OWN, first.headsOf(OWN) ?? []]]);
      const second = walkOver(entries.slice(size), new HeadWalk([OWN, OTHER], { last, heads }));
      expect([placesOf(second), placesOf(second, OTHER), second.size]).toEqual([[0, 2, 4], [5], 6]);
    }
    expect(loggedHead(head(1), 2)).toEqual({
      leafIndex: 2,
      commitment: String.fromCharCode(...entryCommitment(entry(1))),
    });
  });

  test("believes no entries but those under the published root", () => {
    const entries = [entry(0), strange(0), entry(1)];
    const root = formatNode(treeOf((i) => leafHash(entries[i] ?? expect.unreachable()))(0, 3));
    walkOver(entries).checkRoot(root);
    for (const others of [entries.with(1, strange(1)), entries.slice(0, 2), []])
      expect(() => walkOver(others).checkRoot(root)).toThrow(
        expect.objectContaining({
          code: "proof_invalid",
          message: expect.stringMatching(/entries are not those under/),
        }),
      );
    expect(() => walkOver([entry(0).slice(1)])).toThrow(/does not have 64 bytes/);
  });
});

describe("the reach of a history", () => {
  /** Heads 0, 1 … at these entries. */
  function historyAt(...places: readonly number[]): ChainHistory {
    const history = new ChainHistory(OWN, (from, to) => concatBytes(...leaves.slice(from, to)));
    for (const [i, leaf_index] of places.entries()) history.add({ ...head(i), leaf_index, seal_index: 0 });
    return history;
  }
  const log = [strange(0), entry(0), entry(1), strange(1), entry(2), strange(2)];

  test.each<[what: string, places: readonly number[], size: number, end: number]>([
    ["it has all heads of the log", [1, 2, 4], 6, 6],
    ["the log ends at its last head", [1, 2, 4], 5, 5],
    ["the log is older", [1, 2, 4], 4, 4],
    ["the log is older than its first head", [1, 2, 4], 1, 1],
    ["it is older than the log", [1, 2], 6, 4],
    ["it is older than the chain's first head", [], 6, 1],
  ])("ends where %s", (_, places, size, end) => {
    expect(reachOf(historyAt(...places), walkOver(log.slice(0, size)))).toEqual({ end, broken: null });
  });

  test.each<
    [what: string, places: readonly number[], entries: readonly Uint8Array[], end: number, index: number]
  >([
    ["the log has another head", [1, 2, 4], log.with(2, entry(1, OWN, 3)), 2, 1],
    ["the log has none there", [1, 2, 4], log.with(4, strange(9)), 4, 2],
    ["the log has it earlier", [1, 3, 4], log, 2, 1],
    ["the log has it later", [0, 2, 4], log, 0, 0],
  ])("ends at the break where %s", (_, places, entries, end, index) => {
    const { end: found, broken } = reachOf(historyAt(...places), walkOver(entries));
    expect([found, broken?.head_index, broken?.leaf_index]).toEqual([end, index, places[index]]);
  });

  test("is its last head where nobody walked the log, or walked it for other chains", () => {
    expect(reachOf(historyAt(1, 2, 4), null)).toEqual({ end: 5, broken: null });
    expect(reachOf(historyAt(1, 2, 4), walkOver(log, new HeadWalk([OTHER])))).toEqual({
      end: 5,
      broken: null,
    });
    expect(reachOf(historyAt(), null).end).toBe(0);
  });

  test("is the same by a walk that was continued", () => {
    let last: TreeLeaf | null = null;
    for (const each of log.slice(0, 3)) last = appendEntry(last, each);
    const heads = new Map([[OWN, [loggedHead(head(0), 1), loggedHead(head(1), 2)]]]);
    const walk = new HeadWalk([OWN], { last: last ?? expect.unreachable(), heads });
    expect(reachOf(historyAt(1, 2, 4), walkOver(log.slice(3), walk))).toEqual({ end: 6, broken: null });
  });
});
