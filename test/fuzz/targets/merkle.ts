// Proofs of inclusion and of consistency: a changed one is refused, unless it says the same.
import fc from "fast-check";
import { equalBytes } from "../../../evidence/core/bytes.ts";
import { verifyConsistency, verifyInclusion } from "../../../evidence/core/merkle/merkle-proof.ts";
import {
  consistencyPathOf,
  inclusionPathOf,
  isAccepted,
  leafOf,
  placeTo,
  rootOf,
} from "../../support/proofs.ts";
import { consistencyShape, inclusionShape } from "../../support/rfc9162.ts";
import { mutantsOf, sampleOf } from "../mutations.ts";
import { target } from "../target.ts";

const MOST_LEAVES = 300;
const HASH_BYTES = 32;

/** Sizes and indices as no honest caller has them. */
const anyNumber = fc.oneof(
  fc.nat(MOST_LEAVES),
  fc.maxSafeInteger(),
  fc.constantFrom(-1, 0.5, Number.NaN, Infinity, -0, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 2 ** 60),
);

/** A changed list of hashes: its bytes were changed, and cut into hashes again. */
const changesOf = (hashes: readonly Uint8Array[]): fc.Arbitrary<Uint8Array[]> =>
  mutantsOf([sampleOf("hashes", new Uint8Array(Buffer.concat(hashes)))]).map(({ bytes }) =>
    Array.from({ length: Math.ceil(bytes.length / HASH_BYTES) }, (_, i) =>
      bytes.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES),
    ),
  );

const oneOfTwo = <T>(same: T, changed: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof(fc.constant(same), changed);
const areEqual = (a: readonly Uint8Array[], b: readonly Uint8Array[]): boolean =>
  a.length === b.length && a.every((bytes, i) => equalBytes(bytes, b[i] ?? new Uint8Array()));
const sizeOf = ({ changed }: { readonly changed: readonly Uint8Array[] }): number =>
  changed.length * HASH_BYTES;

const inclusion = placeTo(MOST_LEAVES).chain(([index, size]) => {
  const hashes = [leafOf(index), rootOf(size), ...inclusionPathOf(index, size)];
  return fc.record({
    index: fc.constant(index),
    size: fc.constant(size),
    otherIndex: oneOfTwo(index, anyNumber),
    otherSize: oneOfTwo(size, anyNumber),
    hashes: fc.constant(hashes),
    changed: oneOfTwo(hashes, changesOf(hashes)),
  });
});

const EMPTY = new Uint8Array();
const isSmall = (n: number): boolean => Number.isSafeInteger(n) && n >= 0 && n <= MOST_LEAVES;

export const inclusionTarget = target({
  name: "inclusion",
  runs: 3_000,
  inputs: inclusion,
  sizeOf,
  holds: ({ index, size, otherIndex, otherSize, hashes, changed }) => {
    const [leaf = EMPTY, root = EMPTY, ...path] = changed;
    if (!isAccepted(() => verifyInclusion(leaf, otherIndex, otherSize, path, root))) return true;
    if (otherSize === 1) return path.length === 0 && equalBytes(leaf, root);
    // The root binds the turns of the path; a tree too large for the oracle has turns of its own.
    const sameTurns =
      !isSmall(otherSize) || inclusionShape(otherIndex, otherSize) === inclusionShape(index, size);
    return areEqual(changed, hashes) && sameTurns;
  },
});

const consistency = placeTo(MOST_LEAVES).chain(([previous, size]) => {
  const from = previous + 1;
  const hashes = [rootOf(from), rootOf(size), ...consistencyPathOf(from, size)];
  return fc.record({
    from: fc.constant(from),
    size: fc.constant(size),
    otherFrom: oneOfTwo(from, anyNumber),
    otherSize: oneOfTwo(size, anyNumber),
    hashes: fc.constant(hashes),
    changed: oneOfTwo(hashes, changesOf(hashes)),
  });
});

export const consistencyTarget = target({
  name: "consistency",
  runs: 3_000,
  inputs: consistency,
  sizeOf,
  holds: ({ from, size, otherFrom, otherSize, hashes, changed }) => {
    const [previousRoot = EMPTY, root = EMPTY, ...path] = changed;
    if (!isAccepted(() => verifyConsistency(otherFrom, otherSize, path, previousRoot, root))) return true;
    // One tree is consistent with itself, whichever it is.
    if (otherFrom === otherSize) return path.length === 0 && equalBytes(previousRoot, root);
    const sameTurns =
      !isSmall(otherSize) || consistencyShape(otherFrom, otherSize) === consistencyShape(from, size);
    return areEqual(changed, hashes) && sameTurns;
  },
});
