// Entries of the metachain: the leaf of the next one, and the leaf that a receipt's proof leads from.
import { describe, expect, test } from "vitest";
import { concatBytes, formatHex, utf8 } from "../../../../evidence/core/bytes.ts";
import type { CrossTenantProof } from "../../../../evidence/core/formats/compliance-receipt.ts";
import {
  type ChainHead,
  chainHeadEntry,
  chainHeadLabel,
} from "../../../../evidence/core/formats/metachain.ts";
import { appendEntry, entryLabel, leafOfProof } from "../../../../evidence/core/log/entry.ts";
import { formatNode, hashBytes } from "../../../../evidence/core/merkle/hash.ts";
import { rootAt, type TreeLeaf } from "../../../../evidence/core/merkle/merkle-tree.ts";
import { leafHash, PATH, treeOf } from "../../../support/rfc9162.ts";
import { ascending, storedLeafOf } from "../../../support/trees.ts";

const SIZE = 21;
const headAt = (index: number): ChainHead => ({
  chain_id: formatHex(hashBytes(utf8(`chain ${index % 3}`))).slice(0, 32),
  head_index: index,
  tree_size: 7 * index + 1,
  root: formatNode(hashBytes(utf8(`root ${index}`))),
});
const ENTRIES = ascending(SIZE, (index) => chainHeadEntry(headAt(index)));
const MTH = treeOf((index) => leafHash(ENTRIES[index] ?? expect.unreachable("no such entry")));

function proofOf(leaf_index: number, tree_size: number): CrossTenantProof {
  return {
    seal_index: 0,
    leaf: headAt(leaf_index),
    leaf_index,
    tree_size,
    path: PATH(leaf_index, 0, tree_size, MTH).map(formatNode),
    root: formatNode(MTH(0, tree_size)),
  };
}

describe("the next entry", () => {
  test("makes the leaf that the RFC's tree has there", () => {
    const leaves: TreeLeaf[] = [];
    for (const entry of ENTRIES) leaves.push(appendEntry(leaves.at(-1) ?? null, entry));
    expect(leaves).toEqual(ascending(SIZE, storedLeafOf(MTH)));
  });

  test("is found by the label of its chain's head", () => {
    const { chain_id, head_index } = headAt(5);
    expect(entryLabel(chainHeadEntry(headAt(5)))).toEqual(chainHeadLabel(chain_id, head_index));
  });

  test.each([
    ["too short", new Uint8Array(63)],
    ["too long", concatBytes(chainHeadEntry(headAt(1)), Uint8Array.of(0))],
  ])("is refused where it is %s, with its place", (_, entry) => {
    const last = appendEntry(null, chainHeadEntry(headAt(0)));
    expect(() => appendEntry(last, entry)).toThrow(
      expect.objectContaining({ code: "proof_invalid", message: "entry 1 does not have 64 bytes" }),
    );
  });
});

describe("the leaf that a proof leads from", () => {
  test("is that of the log, whichever entry and whichever later tree the proof is of", () => {
    for (let size = 1; size <= SIZE; size++)
      for (let index = 0; index < size; index++)
        expect(leafOfProof(proofOf(index, size))).toEqual(storedLeafOf(MTH)(index));
  });

  test("lets a walk begin there, which ends at the log's root", () => {
    let last = leafOfProof(proofOf(5, 11));
    for (const entry of ENTRIES.slice(6)) last = appendEntry(last, entry);
    expect(formatHex(rootAt(last))).toBe(formatHex(MTH(0, SIZE)));
  });
});
