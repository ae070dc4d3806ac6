import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatHex } from "../../../../evidence/core/bytes.ts";
import { completeNodes } from "../../../../evidence/core/merkle/complete-nodes.ts";
import { formatNode } from "../../../../evidence/core/merkle/hash.ts";
import { leafHash, PATH, treeOf } from "../../../support/rfc9162.ts";

const leafOf = (history: string) => (index: number) =>
  leafHash(new TextEncoder().encode(`${history} ${index}`));
const honest = treeOf(leafOf("honest"));

const nodesIn = (mth: typeof honest, index: number, size: number) =>
  completeNodes(mth(index, index + 1), {
    leaf_index: index,
    tree_size: size,
    path: PATH(index, 0, size, mth).map(formatNode),
  });

const place = fc.integer({ min: 1, max: 300 }).chain((size) => fc.tuple(fc.nat(size - 1), fc.constant(size)));

describe("the nodes that an inclusion path shows", () => {
  test("are subtrees of the tree, each with the hash that RFC 9162 gives it", () => {
    const check = ([index, size]: [number, number]) => {
      for (const { level, place, hash } of nodesIn(honest, index, size)) {
        const [start, end] = [place * 2 ** level, (place + 1) * 2 ** level];
        expect(end).toBeLessThanOrEqual(size);
        expect(formatHex(hash)).toBe(formatHex(honest(start, end)));
      }
    };
    fc.assert(fc.property(place, check));
  });

  test("include all that an earlier tree is made of, where the path is that of its last leaf or of the next", () => {
    const check = ([index, size]: [number, number]) => {
      const shown = new Set(nodesIn(honest, index, size).map((node) => `${node.level}/${node.place}`));
      for (const before of [index, index + 1]) {
        for (let [level, rest] = [0, before]; rest > 0; level++, rest = Math.floor(rest / 2))
          if (rest % 2 === 1) expect(shown).toContain(`${level}/${rest - 1}`);
      }
    };
    fc.assert(fc.property(place, check));
  });

  test("differ where another history follows, for the next leaf and any tree over it", () => {
    const check = ([fork, extra]: [number, number]) => {
      const forked = treeOf((index) => leafOf(index < fork - 1 ? "honest" : "other")(index));
      const known = new Map(nodesIn(honest, fork - 1, fork).map((n) => [`${n.level}/${n.place}`, n.hash]));
      const contradicted = nodesIn(forked, fork, fork + extra).some(({ level, place, hash }) => {
        const expected = known.get(`${level}/${place}`);
        return expected !== undefined && formatHex(expected) !== formatHex(hash);
      });
      expect(contradicted).toBe(true);
    };
    fc.assert(
      fc.property(fc.tuple(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 50 })), check),
    );
  });
});
