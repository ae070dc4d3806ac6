import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concatBytes } from "../../../../evidence/core/bytes.ts";
import { bundlesBetween, LeafBundles, requireLeaves } from "../../../../evidence/core/log/leaf-bundles.ts";

const SIZE = 600;
const leaves = Array.from({ length: SIZE }, (_, i) => new Uint8Array(64).fill(i % 251));
const slice = (from: number, to: number): Uint8Array => concatBytes(...leaves.slice(from, to));

function bundlesOf(size: number): LeafBundles {
  const bundles = new LeafBundles();
  for (const { index, width } of bundlesBetween(0, size))
    bundles.set(index, slice(256 * index, 256 * index + width));
  return bundles;
}

describe("leaves in bundles", () => {
  test("are read from any place to any other", () => {
    const bundles = bundlesOf(SIZE);
    const range = fc
      .tuple(fc.nat(SIZE), fc.nat(SIZE))
      .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
    fc.assert(
      fc.property(range, ([from, to]) => {
        expect(Buffer.compare(bundles.read(from, to), slice(from, to))).toBe(0);
      }),
    );
  });

  test("are fewer where a bundle is not there", () => {
    expect(bundlesOf(300).read(250, 400)).toHaveLength(50 * 64);
    expect(new LeafBundles().read(0, 10)).toHaveLength(0);
  });

  test("grow from the bundle that was not yet full", () => {
    expect([...bundlesBetween(0, 1)]).toEqual([{ index: 0, width: 1 }]);
    expect([...bundlesBetween(300, 600)]).toEqual([
      { index: 1, width: 256 },
      { index: 2, width: 88 },
    ]);
    expect([...bundlesBetween(256, 256)]).toEqual([]);
  });

  test.each([
    [1, 63],
    [2, 64],
    [1, 128],
  ])("are not %i of them in %i bytes", (width, length) => {
    expect(() => requireLeaves(new Uint8Array(length), width)).toThrow(
      expect.objectContaining({ code: "malformed" }),
    );
  });
});
