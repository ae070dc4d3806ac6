// The files of a history that were handed over: what was verified under one list of heads stays so under the next.
import { describe, expect, test } from "vitest";
import { concatBytes, utf8 } from "../../../evidence/core/bytes.ts";
import type { SealedHead } from "../../../evidence/core/formats/chain-history.ts";
import { chainIdOf } from "../../../evidence/core/formats/tenant-anchor.ts";
import { formatNode } from "../../../evidence/core/merkle/hash.ts";
import {
  type HistoryFiles,
  headsPath,
  leavesPath,
  readHistory,
} from "../../../evidence/reader/history-files.ts";
import { leafHash, treeOf } from "../../support/rfc9162.ts";

const CHAIN = "c".repeat(32);
const leafOf = (text: string): Uint8Array => concatBytes(leafHash(utf8(text)), leafHash(utf8(text)));
const LEAVES = Array.from({ length: 300 }, (_, i) => leafOf(`receipt ${i}`));
const MTH = treeOf((i) => leafHash(LEAVES[i] ?? expect.unreachable("no such leaf")));
const headOf = (head_index: number, tree_size: number): SealedHead => ({
  head_index,
  tree_size,
  root: formatNode(MTH(0, tree_size)),
  leaf_index: head_index,
  seal_index: head_index,
});

/** A history whose two lists of heads part within its second bundle, which is there as it was at each of them. */
function filesWith(
  tile: readonly Uint8Array[],
  change: (files: Map<string, Uint8Array>) => void = () => {},
): HistoryFiles {
  const index = { tenant_anchor: null, chains: [{ chain_id: CHAIN, shard: 0 }], searched: null };
  const files = new Map<string, Uint8Array>([
    ["history.json", utf8(JSON.stringify(index))],
    [headsPath(CHAIN, 0), utf8(JSON.stringify([headOf(0, 100), headOf(1, 280)]))],
    [headsPath(CHAIN, 1_000), utf8(JSON.stringify([headOf(2, 300)]))],
    [leavesPath(CHAIN, { index: 0, width: 256 }), concatBytes(...LEAVES.slice(0, 256))],
    [leavesPath(CHAIN, { index: 1, width: 24 }), concatBytes(...LEAVES.slice(256, 280))],
    [leavesPath(CHAIN, { index: 1, width: 44 }), concatBytes(...tile)],
  ]);
  change(files);
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

describe("a partial bundle that grew between two lists of heads", () => {
  const grown = LEAVES.slice(256);

  test("is read where it goes on as it was", async () => {
    const { chains } = await readHistory(filesWith(grown));
    const history = chains.get(CHAIN);
    expect(history?.size).toBe(300);
    expect([256, 279, 280, 299].map((i) => history?.leafHash(i))).toEqual(
      [256, 279, 280, 299].map((i) => leafHash(LEAVES[i] ?? expect.unreachable())),
    );
  });

  test.each([256, 270, 279])("is refused where leaf %i is another than was verified", async (at) => {
    const swapped = grown.with(at - 256, leafOf("another receipt"));
    await expect(readHistory(filesWith(swapped))).rejects.toMatchObject({
      code: "proof_invalid",
      message: expect.stringContaining(CHAIN),
    });
  });

  test.each([280, 299])("is refused where leaf %i is none of the next head's", async (at) => {
    const swapped = grown.with(at - 256, leafOf("another receipt"));
    await expect(readHistory(filesWith(swapped))).rejects.toMatchObject({ code: "proof_invalid" });
  });
});

describe("a history", () => {
  const grown = LEAVES.slice(256);
  const ANCHOR = "a".repeat(32);
  const [OWN, OTHER] = [chainIdOf(ANCHOR, 0), chainIdOf(ANCHOR, 1)];
  const read = (change: (files: Map<string, Uint8Array>) => void) => readHistory(filesWith(grown, change));
  const indexOf = (tenant_anchor: string | null, chains: readonly [id: string, shard: number][]) =>
    utf8(
      JSON.stringify({
        tenant_anchor,
        chains: chains.map(([chain_id, shard]) => ({ chain_id, shard })),
        searched: null,
      }),
    );

  test("is not there without its index", async () => {
    await expect(read((files) => files.delete("history.json"))).rejects.toMatchObject({
      code: "malformed",
      message: "history has no history",
    });
  });

  test("has chains without receipts, and each is the anchor's", async () => {
    const both = indexOf(ANCHOR, [
      [OWN, 0],
      [OTHER, 1],
    ]);
    const { tenantAnchor, chains } = await read((files) => files.set("history.json", both));
    expect([tenantAnchor, [...chains.keys()]]).toEqual([ANCHOR, [OWN, OTHER]]);
    expect(chains.get(OWN)?.size).toBe(0);
  });

  test.each<[what: string, chains: [id: string, shard: number][]]>([
    ["one chain is of no anchor", [[CHAIN, 0]]],
    [
      "one of two is not the anchor's",
      [
        [OWN, 0],
        [CHAIN, 1],
      ],
    ],
    ["a chain has another's number", [[OTHER, 0]]],
  ])("is refused where %s", async (_, chains) => {
    const index = indexOf(ANCHOR, chains);
    await expect(read((files) => files.set("history.json", index))).rejects.toMatchObject({
      code: "malformed",
      message: "a chain in history is not of the anchor that is in it",
    });
  });

  const [whole, partial] = [
    leavesPath(CHAIN, { index: 0, width: 256 }),
    leavesPath(CHAIN, { index: 1, width: 44 }),
  ];
  test.each<[what: string, change: (files: Map<string, Uint8Array>) => void, message: RegExp]>([
    [
      "its index is none",
      (files) => files.set("history.json", utf8("{}")),
      /history's index is not as the format says/,
    ],
    [
      "a list of heads is none",
      (files) => files.set(headsPath(CHAIN, 0), utf8("{}")),
      /list of heads is not as/,
    ],
    ["a whole tile is missing", (files) => files.delete(whole), /./],
    ["a partial bundle is missing", (files) => files.delete(partial), /./],
    ["a tile is too short", (files) => files.set(whole, LEAVES[0] ?? expect.unreachable()), /./],
  ])("can't be read where %s", async (_, change, message) => {
    await expect(read(change)).rejects.toMatchObject({
      code: "malformed",
      message: expect.stringMatching(message),
    });
  });

  test("is read from the narrowest bundle that is wide enough, whatever else lies beside it", async () => {
    const folder = partial.slice(0, partial.lastIndexOf("/"));
    const { chains } = await read((files) => {
      for (const name of ["100", "x44", "44x", "044", "9"]) files.set(`${folder}/${name}`, utf8("none"));
    });
    expect(chains.get(CHAIN)?.size).toBe(300);
    const wider = concatBytes(...LEAVES.slice(256), ...LEAVES.slice(0, 6));
    const other = await read((files) => {
      files.delete(partial);
      files.set(`${folder}/50`, wider);
      files.set(`${folder}/60`, utf8("none"));
      files.set(`${folder}/200`, utf8("none"));
    });
    expect(other.chains.get(CHAIN)?.leafHash(299)).toEqual(leafHash(LEAVES[299] ?? expect.unreachable()));
  });
});
