// Entries of the metachain, and the leaf of the next one.
import { describe, expect, test } from "vitest";
import { concatBytes, formatHex, utf8 } from "../../../../evidence/core/bytes.ts";
import {
  type ChainHead,
  chainHeadEntry,
  chainHeadLabel,
} from "../../../../evidence/core/formats/metachain.ts";
import { appendEntry, entryCommitment, entryLabel } from "../../../../evidence/core/log/entry.ts";
import { formatNode, hashBytes } from "../../../../evidence/core/merkle/hash.ts";
import type { TreeLeaf } from "../../../../evidence/core/merkle/merkle-tree.ts";
import { leafHash, treeOf } from "../../../support/rfc9162.ts";
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

describe("the next entry", () => {
  test("makes the leaf that the RFC's tree has there", () => {
    const leaves: TreeLeaf[] = [];
    for (const entry of ENTRIES) leaves.push(appendEntry(leaves.at(-1) ?? null, entry));
    expect(leaves).toEqual(ascending(SIZE, storedLeafOf(MTH)));
  });

  test("is found by the label of its chain's head", () => {
    const { chain_id, head_index } = headAt(5);
    const entry = chainHeadEntry(headAt(5));
    expect(entryLabel(entry)).toEqual(chainHeadLabel(chain_id, head_index));
    expect(concatBytes(entryLabel(entry), entryCommitment(entry))).toEqual(entry);
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
