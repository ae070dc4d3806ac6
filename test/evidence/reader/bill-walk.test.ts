// The walk over the entries of the public log, from one place to the size as of which a bill was made.
import { describe, expect, test } from "vitest";
import { ROOT_ROUTE } from "../../../contract/metachain-paths.ts";
import { formatHex } from "../../../evidence/core/bytes.ts";
import { PENDING_TIMESTAMP, type Seal } from "../../../evidence/core/formats/metachain.ts";
import { formatNode, hashBytes } from "../../../evidence/core/merkle/hash.ts";
import { appendLeaf, type TreeLeaf } from "../../../evidence/core/merkle/merkle-tree.ts";
import { searchIn } from "../../../evidence/reader/bill-walk.ts";
import type { LogSource, MetachainSource } from "../../../evidence/reader/metachain.ts";
import { leafHash, treeOf } from "../../support/rfc9162.ts";
import { filesOf } from "../../support/whole-tiles.ts";

const SIZE = 700;
const labelAt = (index: number): Uint8Array => hashBytes(Buffer.from(`label ${index % 300}`));
const entryAt = (index: number): Uint8Array =>
  Buffer.concat([labelAt(index), hashBytes(Buffer.from(`head ${index}`))]);
const mth = treeOf((index) => leafHash(entryAt(index)));
const asOf = (tree_size: number) => ({
  seal_index: 0,
  merkle_root: formatNode(mth(0, tree_size)),
  tree_size,
});

const headOf = (latest: Seal | null): Buffer =>
  Buffer.from(JSON.stringify({ size: latest === null ? 0 : 1, latest, roots: ROOT_ROUTE, log: null }));

/** A log that is published up to this size, less the files that are missing. */
function sourceOf(size: number, missing: readonly string[] = []): MetachainSource & LogSource {
  const files = filesOf({ size, mth, entryAt });
  for (const path of missing) files.delete(path);
  const latest: Seal = {
    index: 0,
    merkle_root: formatNode(mth(0, size)),
    tree_size: size,
    previous_root: null,
    previous_tree_size: 0,
    consistency_path: [],
    receipt_count: 1,
    sealed_at: "2026-11-01T00:00:00.000Z",
    tsa_timestamp: PENDING_TIMESTAMP,
    additional_timestamps: [],
  };
  return {
    name: "memory",
    head: async () => headOf(latest),
    root: async () => null,
    timestamp: async () => null,
    logFile: async (path) => files.get(path) ?? null,
  };
}

/** The last leaf of the tree of this size. */
function leafAt(size: number): TreeLeaf {
  let leaf: TreeLeaf | null = null;
  for (let i = 0; i < size; i++) leaf = appendLeaf(leaf, leafHash(entryAt(i)));
  return leaf ?? expect.unreachable("the tree has a leaf");
}

const LABEL = formatHex(labelAt(7));
const walkFrom = (from: TreeLeaf | null) => ({ from, labels: new Set([LABEL]), unshown: new Map() });

describe("a walk through the log", () => {
  test.each([
    [SIZE, [7, 307, 607]],
    [512, [7, 307]],
    [308, [7, 307]],
    [307, [7]],
  ])("up to size %i finds a label at each of its places, and no further", async (size, places) => {
    const walked: [number, number][] = [];
    const search = await searchIn(sourceOf(SIZE), (...counts) => walked.push(counts))(
      asOf(size),
      walkFrom(null),
    );
    expect(search?.size).toBe(size);
    expect(search?.entriesUnder(LABEL).map(({ leafIndex }) => leafIndex)).toEqual(places);
    const ends = [256, 512, 768].slice(0, Math.ceil(size / 256)).map((end) => Math.min(end, size));
    expect(walked).toEqual(ends.map((end) => [end, size]));
  });

  test.each([256, 300, 607])("goes on behind the leaf of size %i", async (from) => {
    const walked: [number, number][] = [];
    const leaf = leafAt(from);
    const search = await searchIn(sourceOf(SIZE), (...counts) => walked.push(counts))(
      asOf(SIZE),
      walkFrom(leaf),
    );
    const later = [307, 607].filter((index) => index >= from);
    expect(search?.entriesUnder(LABEL).map(({ leafIndex }) => leafIndex)).toEqual(later);
    const ends = [512, SIZE].filter((end) => end > from);
    expect(walked).toEqual(ends.map((end) => [end - from, SIZE - from]));
  });

  test("is not made where the log's files do not reach the size yet, or nothing is published", async () => {
    expect(await searchIn(sourceOf(511))(asOf(512), walkFrom(null))).toBeNull();
    expect(await searchIn(sourceOf(512))(asOf(512), walkFrom(null))).not.toBeNull();
    const none = { ...sourceOf(512), head: async () => headOf(null) };
    expect(await searchIn(none)(asOf(512), walkFrom(null))).toBeNull();
  });

  test("believes no entries but those under the bill's root", async () => {
    const other = { ...asOf(512), merkle_root: formatNode(mth(0, 511)) };
    await expect(searchIn(sourceOf(SIZE))(other, walkFrom(null))).rejects.toMatchObject({
      code: "proof_invalid",
    });
  });

  test("says which file is missing", async () => {
    const source = sourceOf(SIZE, ["tile/entries/000"]);
    await expect(searchIn(source)(asOf(SIZE), walkFrom(null))).rejects.toMatchObject({
      code: "publication_unavailable",
      message: "tile/entries/000 of the public log is missing",
    });
  });
});
