// Trees read from tiles: their roots and paths are those of the definition, at every size up to three tiles.
import fc from "fast-check";
import { expect, test } from "vitest";
import { TiledTree } from "../../../../evidence/core/log/tiled-tree.ts";
import { hashLeaf } from "../../../../evidence/core/merkle/hash.ts";
import { verifyConsistency, verifyInclusion } from "../../../../evidence/core/merkle/merkle-proof.ts";
import { leafHash, treeOf } from "../../../support/rfc9162.ts";
import { filesOf } from "../../../support/whole-tiles.ts";

const entryAt = (index: number): Uint8Array => Buffer.alloc(64, index);
const mth = treeOf((index) => leafHash(entryAt(index)));

function treeAt(size: number): TiledTree {
  const files = filesOf({ size, mth, entryAt });
  return new TiledTree(size, async (path) => files.get(path) ?? null);
}

test("every path leads to the root", async () => {
  const sizes = fc.integer({ min: 1, max: 700 });
  await fc.assert(
    fc.asyncProperty(
      sizes,
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      async (size, at) => {
        const tree = treeAt(size);
        const root = mth(0, size);
        expect(Buffer.from(await tree.root()).equals(root)).toBe(true);
        const leaf = Math.floor(at * size);
        verifyInclusion(hashLeaf(entryAt(leaf)), leaf, size, await tree.inclusionPath(leaf), root);
        const from = leaf + 1;
        verifyConsistency(from, size, await tree.consistencyPath(from), mth(0, from), root);
      },
    ),
    { numRuns: 60 },
  );
});

test("a leaf and a size outside the tree are refused, and so is a tile that is missing", async () => {
  await expect(treeAt(5).inclusionPath(5)).rejects.toMatchObject({ code: "malformed" });
  await expect(treeAt(5).root(6)).rejects.toMatchObject({ code: "malformed" });
  const bare = new TiledTree(5, async () => null);
  await expect(bare.inclusionPath(0)).rejects.toMatchObject({ code: "publication_unavailable" });
});
