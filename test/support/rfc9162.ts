// RFC 9162 section 2.1 as it is written: MTH, PATH and SUBPROOF as recursions over D[start:end], hashed by
// node:crypto. Slow and plain on purpose: the oracle that core's trees and proofs are held against.
import { hash } from "node:crypto";

/** What MTH(D[start:end]) stands for; the recursions below only ever pass it on. */
export type Mth<T = Uint8Array> = (start: number, end: number) => T;

const sha256 = (...parts: Uint8Array[]): Uint8Array =>
  new Uint8Array(hash("sha256", Buffer.concat(parts), "buffer"));

export const leafHash = (entry: Uint8Array): Uint8Array => sha256(Uint8Array.of(0), entry);
export const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  sha256(Uint8Array.of(1), left, right);

/** "Let k be the largest power of two smaller than n." */
export function largestPowerOfTwoBelow(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

/** Section 2.1.1 over leaf hashes; every range is hashed once and remembered. */
export function treeOf(leafHashAt: (index: number) => Uint8Array): Mth {
  const known = new Map<string, Uint8Array>();
  const mth: Mth = (start, end) => {
    if (end - start === 1) return leafHashAt(start);
    const middle = start + largestPowerOfTwoBelow(end - start);
    const key = `${start}:${end}`;
    const node = known.get(key) ?? nodeHash(mth(start, middle), mth(middle, end));
    known.set(key, node);
    return node;
  };
  return mth;
}

/** Section 2.1.3.1: PATH(m, D[start:end]). */
export function PATH<T>(m: number, start: number, end: number, mth: Mth<T>): T[] {
  if (end - start === 1) return [];
  const k = largestPowerOfTwoBelow(end - start);
  const middle = start + k;
  return m < k
    ? [...PATH(m, start, middle, mth), mth(middle, end)]
    : [...PATH(m - k, middle, end, mth), mth(start, middle)];
}

/** Section 2.1.4.1: PROOF(m, D[0:n]), the consistency path from size m to size n. */
export const PROOF = <T>(m: number, n: number, mth: Mth<T>): T[] => SUBPROOF(m, 0, n, true, mth);

function SUBPROOF<T>(m: number, start: number, end: number, isWhole: boolean, mth: Mth<T>): T[] {
  if (m === end - start) return isWhole ? [] : [mth(start, end)];
  const k = largestPowerOfTwoBelow(end - start);
  const middle = start + k;
  return m <= k
    ? [...SUBPROOF(m, start, middle, isWhole, mth), mth(middle, end)]
    : [...SUBPROOF(m - k, middle, end, false, mth), mth(start, middle)];
}

/** The sides on which PATH puts its nodes: all that a verifier learns from index and size. */
export const inclusionShape = (leafIndex: number, treeSize: number): string =>
  PATH(leafIndex, 0, treeSize, (_, end) => (end <= leafIndex ? "L" : "R")).join("");

/** The same for PROOF, where `=` is the last complete subtree of the old tree. */
export const consistencyShape = (previousSize: number, treeSize: number): string =>
  PROOF(previousSize, treeSize, (start, end) => {
    if (start >= previousSize) return "R";
    return end === previousSize ? "=" : "L";
  }).join("");
