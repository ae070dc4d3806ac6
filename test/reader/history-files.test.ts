// The files of a history that were handed over: what was verified under one list of heads stays so under the next.
import { describe, expect, test } from "vitest";
import { concatBytes, utf8 } from "../../core/bytes.ts";
import type { SealedHead } from "../../core/formats/chain-history.ts";
import { formatNode } from "../../core/merkle/hash.ts";
import { type HistoryFiles, headsPath, readHistory, tilePath } from "../../reader/history-files.ts";
import { leafHash, treeOf } from "../support/rfc9162.ts";

const CHAIN = "c".repeat(32);
const LEAVES = Array.from({ length: 300 }, (_, i) => leafHash(utf8(`receipt ${i}`)));
const MTH = treeOf((i) => LEAVES[i] ?? expect.unreachable("no such leaf"));
const headOf = (head_index: number, tree_size: number): SealedHead => ({
  head_index,
  tree_size,
  root: formatNode(MTH(0, tree_size)),
  leaf_index: head_index,
  seal_index: head_index,
});

/** A history whose two lists of heads part within its second tile, which is there as it was at each of them. */
function filesWith(tile: readonly Uint8Array[]): HistoryFiles {
  const index = { tenant_anchor: null, chains: [{ chain_id: CHAIN, shard: 0 }], searched: null };
  const files = new Map<string, Uint8Array>([
    ["history.json", utf8(JSON.stringify(index))],
    [headsPath(CHAIN, 0), utf8(JSON.stringify([headOf(0, 100), headOf(1, 280)]))],
    [headsPath(CHAIN, 1_000), utf8(JSON.stringify([headOf(2, 300)]))],
    [tilePath(CHAIN, { index: 0, width: 256 }), concatBytes(...LEAVES.slice(0, 256))],
    [tilePath(CHAIN, { index: 1, width: 24 }), concatBytes(...LEAVES.slice(256, 280))],
    [tilePath(CHAIN, { index: 1, width: 44 }), concatBytes(...tile)],
  ]);
  const namesIn = (folder: string) =>
    [...files.keys()]
      .filter((path) => path.startsWith(`${folder}/`))
      .map((path) => path.slice(folder.length + 1));
  return {
    name: "history",
    read: async (path) => files.get(path) ?? null,
    list: async (path) => namesIn(path),
  };
}

describe("a partial tile that grew between two lists of heads", () => {
  const grown = LEAVES.slice(256);

  test("is read where it goes on as it was", async () => {
    const { chains } = await readHistory(filesWith(grown));
    const history = chains.get(CHAIN);
    expect(history?.size).toBe(300);
    expect([256, 279, 280, 299].map((i) => history?.leafHash(i))).toEqual(
      [256, 279, 280, 299].map((i) => LEAVES[i]),
    );
  });

  test.each([256, 270, 279])("is refused where leaf hash %i is another than was verified", async (at) => {
    const swapped = grown.with(at - 256, leafHash(utf8("another receipt")));
    await expect(readHistory(filesWith(swapped))).rejects.toMatchObject({
      code: "proof_invalid",
      message: expect.stringContaining(CHAIN),
    });
  });

  test.each([280, 299])("is refused where leaf hash %i is none of the next head's", async (at) => {
    const swapped = grown.with(at - 256, leafHash(utf8("another receipt")));
    await expect(readHistory(filesWith(swapped))).rejects.toMatchObject({ code: "proof_invalid" });
  });
});
