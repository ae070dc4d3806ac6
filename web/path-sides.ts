// On which side each node of an RFC 9162 audit path lies (section 2.1.3.2), for the picture of a path.

export type Side = "left" | "right";

/** One side for each step from leaf `leafIndex` up to the root of `treeSize` leaves; at most `length` of them. */
export function sidesOf(leafIndex: number, treeSize: number, length: number): Side[] {
  const sides: Side[] = [];
  let [fn, sn] = [leafIndex, treeSize - 1];
  while (sides.length < length && sn > 0) {
    const isLeft = fn % 2 === 1 || fn === sn;
    sides.push(isLeft ? "left" : "right");
    // A last node without a right sibling goes up unchanged until it becomes a right child.
    if (isLeft) while (fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    [fn, sn] = [half(fn), half(sn)];
  }
  return sides;
}

const half = (n: number): number => Math.floor(n / 2);
