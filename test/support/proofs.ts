// A small tree of the RFC's, and the ways in which a proof from it is turned into a wrong one.
import fc from "fast-check";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import { leafHash, PATH, PROOF, treeOf } from "./rfc9162.ts";
import { ascending } from "./trees.ts";

const mth = treeOf((index) => leafHash(Uint8Array.of(index)));
export const rootOf = (size: number): Uint8Array => mth(0, size);
export const leafOf = (index: number): Uint8Array => mth(index, index + 1);
export const inclusionPathOf = (index: number, size: number): Uint8Array[] => PATH(index, 0, size, mth);
export const consistencyPathOf = (previousSize: number, size: number): Uint8Array[] =>
  PROOF(previousSize, size, mth);

/** All pairs 0 <= index < size, up to `most` leaves. */
export const placesTo = (most: number): [index: number, size: number][] =>
  ascending(most, (n) => ascending(n + 1, (index): [number, number] => [index, n + 1])).flat();

/** A random one of them. */
export const placeTo = (most: number): fc.Arbitrary<[index: number, size: number]> =>
  fc
    .tuple(fc.integer({ min: 1, max: most }), fc.nat())
    .map(([size, n]): [number, number] => [n % size, size]);

/** Whether a proof is accepted; an error other than `proof_invalid` is none of its answers. */
export function isAccepted(verify: () => void): boolean {
  try {
    verify();
    return true;
  } catch (error) {
    if (!isDisclosureError(error, "proof_invalid")) throw error;
    return false;
  }
}

/** All the hashes that a proof is about: two (leaf and root, or both roots), and the path. */
export type ProofHashes = [Uint8Array, Uint8Array, ...Uint8Array[]];

/** `hashes` with one bit of one of them turned; `bit` counts through all of them, and again from the start. */
export function withFlippedBit(hashes: ProofHashes, bit: number): ProofHashes {
  const [place, inHash] = [Math.floor(bit / 256) % hashes.length, bit % 256];
  return hashes.map((hash, at) => (at === place ? flip(hash, inHash) : hash)) as ProofHashes;
}

const flip = (hash: Uint8Array, bit: number): Uint8Array =>
  hash.map((byte, at) => (at === Math.floor(bit / 8) ? byte ^ (1 << (bit % 8)) : byte));

/** `path` one node longer at either end, and where it has a node, one shorter. */
export function withOtherLength(path: readonly Uint8Array[], extra: Uint8Array): Uint8Array[][] {
  const longer = [
    [...path, extra],
    [extra, ...path],
  ];
  return path.length === 0 ? longer : [...longer, path.slice(0, -1), path.slice(1)];
}
