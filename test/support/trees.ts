// Trees for tests: of any size, because almost all their leaves are equal, in the RFC's form and in ours.
import type { TreeLeaf } from "../../evidence/core/merkle/merkle-tree.ts";
import { largestPowerOfTwoBelow, leafHash, type Mth, nodeHash } from "./rfc9162.ts";

export const ascending = <T>(count: number, at: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => at(index));

/** MTH over equal leaves but for the marked ones: a range without a mark is known by its width alone. */
export function sparseTree(marked: readonly number[]): Mth {
  const plain = new Map<number, Uint8Array>([[1, leafHash(new Uint8Array())]]);
  const mth: Mth = (start, end) => {
    const isPlain = !marked.some((index) => start <= index && index < end);
    const width = end - start;
    if (width === 1 && !isPlain) return leafHash(new TextEncoder().encode(`leaf ${start}`));
    const middle = start + largestPowerOfTwoBelow(width);
    const known = isPlain ? plain.get(width) : undefined;
    const node = known ?? nodeHash(mth(start, middle), mth(middle, end));
    if (isPlain) plain.set(width, node);
    return node;
  };
  return mth;
}

/** The leaves of a tree as the ledger would have stored them, each left path straight from its definition. */
export function storedLeafOf(mth: Mth): (leafIndex: number) => TreeLeaf {
  return (leafIndex) => {
    const leftPath: Uint8Array[] = [];
    for (let end = leafIndex, width = 1; end > 0; width *= 2) {
      if (end % (width * 2) === 0) continue;
      leftPath.push(mth(end - width, end));
      end -= width;
    }
    return { leafIndex, leafHash: mth(leafIndex, leafIndex + 1), leftPath };
  };
}
