// How many witnesses must lie for two logs with the quorum of one policy, held against all sets of witnesses.
import { describe, expect, test } from "vitest";
import { commonWitnesses } from "../../../../evidence/core/log/common-witnesses.ts";
import { formatNoteKey, noteKey, SIGNATURE_TYPE } from "../../../../evidence/core/log/note.ts";
import { isQuorum, parsePolicy } from "../../../../evidence/core/log/tlog-policy.ts";
import { leafHash } from "../../../support/rfc9162.ts";

/** A policy of the witnesses w1 to w6. */
function policyOf(...lines: readonly string[]) {
  const witnesses = Array.from({ length: 6 }, (_, i) => {
    const key = noteKey(`w${i + 1}`, SIGNATURE_TYPE.cosignature, leafHash(Uint8Array.of(i)));
    return `witness w${i + 1} ${formatNoteKey(key)}`;
  });
  return parsePolicy(`${[...witnesses, ...lines].join("\n")}\n`);
}

/** By trying all pairs of sets that make the quorum. */
function leastByForce(policy: ReturnType<typeof policyOf>): number {
  const sets = Array.from({ length: 2 ** 6 }, (_, bits) => bits).filter((bits) =>
    isQuorum(policy, new Set(policy.witnesses.flatMap(({ name }, i) => (bits & (1 << i) ? [name] : [])))),
  );
  const ones = (bits: number): number => bits.toString(2).replaceAll("0", "").length;
  return Math.min(...sets.flatMap((a) => sets.map((b) => ones(a & b))));
}

describe("the witnesses that two logs with one quorum have in common", () => {
  test.each([
    [["quorum none"], 0],
    [["quorum w1"], 1],
    [["group g any w1 w2", "quorum g"], 0],
    [["group g all w1 w2", "quorum g"], 2],
    [["group g 1 w1 w2 w3", "quorum g"], 0],
    [["group g 2 w1 w2 w3", "quorum g"], 1],
    [["group g 2 w1 w2 w3 w4", "quorum g"], 0],
    [["group g 3 w1 w2 w3 w4", "quorum g"], 2],
    [["group g 3 w1 w2 w3 w4 w5", "quorum g"], 1],
    [["group g all w1 w2 w3", "group h 2 g w4 w5", "quorum h"], 1],
    [["group g 2 w1 w2 w3", "group h 2 w4 w5 w6", "group i all g h", "quorum i"], 2],
    [["group g any w1 w2", "group h all g w3", "quorum h"], 1],
  ])("are, under %j, %i at least", (lines, least) => {
    const policy = policyOf(...lines);
    expect(commonWitnesses(policy)).toBe(least);
    expect(leastByForce(policy)).toBe(least);
  });
});
