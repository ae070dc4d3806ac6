import { describe, expect, test } from "vitest";
import { concatBytes, formatHex } from "../../../../evidence/core/bytes.ts";
import { LabelSearch } from "../../../../evidence/core/log/label-search.ts";
import { formatNode, hashBytes } from "../../../../evidence/core/merkle/hash.ts";
import { leafHash, treeOf } from "../../../support/rfc9162.ts";

const label = (n: number): Uint8Array => hashBytes(Uint8Array.of(n));
const entry = (n: number): Uint8Array => concatBytes(label(n), hashBytes(Uint8Array.of(n, 1)));
const log = [7, 1, 2, 7, 3].map(entry);
const rootOf = (size: number): string => formatNode(treeOf((i) => leafHash(log[i] ?? label(0)))(0, size));

function walk(labels: readonly number[], entries = log, search?: LabelSearch): LabelSearch {
  const walked = search ?? new LabelSearch(new Set(labels.map((n) => formatHex(label(n)))));
  for (const each of entries) walked.add(each);
  return walked;
}
const placesOf = (search: LabelSearch, n: number): number[] =>
  search.entriesUnder(formatHex(label(n))).map(({ leafIndex }) => leafIndex);

describe("a search for labels in the public log", () => {
  test("finds each one's places, and that there is none", () => {
    const search = walk([2, 7, 9]);
    expect([2, 7, 9, 1].map((n) => placesOf(search, n))).toEqual([[2], [0, 3], [], []]);
    expect(search.entriesUnder(formatHex(label(2)))[0]?.entry).toEqual(entry(2));
  });

  test("goes on where an earlier one ended, and says the places of the whole log", () => {
    const first = walk([7], log.slice(0, 2));
    first.checkRoot(rootOf(2));
    const second = new LabelSearch(new Set([formatHex(label(7))]), first.last);
    walk([], log.slice(2), second);
    second.checkRoot(rootOf(5));
    expect(placesOf(second, 7)).toEqual([3]);
    expect([first.size, second.size]).toEqual([2, 5]);
  });

  test("believes no entries but those under the published root", () => {
    expect(() => walk([7], log.with(1, entry(8))).checkRoot(rootOf(5))).toThrow(/are not those under/);
    expect(() => walk([7], log.slice(0, 4)).checkRoot(rootOf(5))).toThrow(/are not those under/);
    expect(() => walk([7], [entry(1).slice(1)])).toThrow(/does not have 64 bytes/);
    expect(() => walk([7], log.slice(0, 4)).checkRoot(rootOf(5))).toThrow(
      expect.objectContaining({ code: "proof_invalid" }),
    );
  });

  test("that passed no entry has no root", () => {
    expect(() => walk([7], []).checkRoot(rootOf(1))).toThrow(/the first 0 entries are not those under/);
  });
});
