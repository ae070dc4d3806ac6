// The verdict on an examination: what makes it firm, what leaves it open, and what refutes a receipt.
import { describe, expect, test } from "vitest";
import type { Check } from "../../../evidence/core/verify/check.ts";
import { CHECK_NAMES, type CheckName } from "../../../evidence/core/verify/check-names.ts";
import type { Examination, ExaminedTurn } from "../../../evidence/reader/examination.ts";
import {
  hasReason,
  isRefuted,
  isSupplementary,
  judge,
  lacksLayer,
  namesLayer,
  type Outcome,
  worstOf,
} from "../../../evidence/reader/verdict.ts";

const SUPPLEMENTARY = [
  "input_hash",
  "links",
  "evidence_chain",
  "interaction",
  "whole",
  "previous_seal",
  "additional_timestamps",
  "chain_links",
] as const;
const DIGEST = `sha256:${"1".repeat(64)}`;
const OTHER_DIGEST = `sha256:${"2".repeat(64)}`;

const check = (name: CheckName, ok: boolean | null): Check => ({ name, ok, detail: "" });
const turnOf = (checks: readonly Check[], receipts?: readonly object[]): ExaminedTurn =>
  ({ checks, evidence: { receipts } }) as unknown as ExaminedTurn;
const examinationOf = (...turns: readonly ExaminedTurn[]): Examination => ({
  kind: "bundle",
  turns,
  seals: [],
  whole: [],
  unavailable: null,
});
const judged = (...checks: readonly Check[]) => judge(examinationOf(turnOf(checks)));

describe("the verdict", () => {
  test.each<[Outcome, string, Check[]]>([
    ["holds", "all was made", [check("leaf_hash", true), check("timestamp", true)]],
    ["holds", "nothing was to be made", []],
    ["holds_so_far", "one that matters was not made", [check("leaf_hash", true), check("timestamp", null)]],
    ["does_not_hold", "one fails", [check("leaf_hash", true), check("timestamp", false)]],
    ["does_not_hold", "one fails, one was not made", [check("published_root", null), check("links", false)]],
  ])("is %s where %s", (outcome, _, checks) => {
    expect(judged(...checks).outcome).toBe(outcome);
  });

  test("names what failed and what is open, and counts what was made", () => {
    const checks = [
      check("leaf_hash", true),
      check("event_id", false),
      check("policy", null),
      check("merkle_root", true),
      check("links", null),
    ];
    const { failed, open, made } = judged(...checks);
    expect([failed, open].map((list) => list.map(({ name }) => name))).toEqual([["event_id"], ["policy"]]);
    expect(made).toBe(3);
  });

  test.each(SUPPLEMENTARY)("loses nothing where %s is unmade", (name) => {
    expect(isSupplementary(name)).toBe(true);
    expect(judged(check("leaf_hash", true), check(name, null)).outcome).toBe("holds");
    expect(judged(check(name, false)).outcome).toBe("does_not_hold");
  });

  test.each(CHECK_NAMES.filter((name) => !(SUPPLEMENTARY as readonly string[]).includes(name)))(
    "is open where %j is unmade",
    (name) => {
      expect(isSupplementary(name)).toBe(false);
      expect(judged(check(name, null)).outcome).toBe("holds_so_far");
    },
  );
});

describe("a receipt", () => {
  test.each(["timestamp", "additional_timestamps", "cose_receipt"] as const)(
    "is not refuted by a false %s",
    (name) => {
      expect(isRefuted({ checks: [check(name, false), check("leaf_hash", true)] })).toBe(false);
    },
  );

  test("is refuted by any other false check, and by none that is unmade or holds", () => {
    expect(isRefuted({ checks: [check("leaf_hash", true), check("links", false)] })).toBe(true);
    expect(isRefuted({ checks: [check("one_history", false)] })).toBe(true);
    expect(isRefuted({ checks: [check("leaf_hash", true), check("links", null)] })).toBe(false);
  });

  test("lacks its layer where the check of the policy was not made", () => {
    const held = turnOf([check("leaf_hash", null), check("policy", true)]);
    const failed = turnOf([check("policy", false)]);
    const missing = turnOf([check("leaf_hash", true), check("policy", null)]);
    expect(lacksLayer(examinationOf(held, failed))).toBe(false);
    expect(lacksLayer(examinationOf(held, missing))).toBe(true);
    expect(lacksLayer(examinationOf())).toBe(false);
  });

  test("names a layer by its digest; a proof without a receipt names none", () => {
    const named = turnOf([], [{ policy: { digest: DIGEST } }]);
    const examination = examinationOf(turnOf([]), named, turnOf([], [{ policy: { digest: OTHER_DIGEST } }]));
    expect(namesLayer(examination, DIGEST)).toBe(true);
    expect(namesLayer(examination, OTHER_DIGEST)).toBe(true);
    expect(namesLayer(examinationOf(named), OTHER_DIGEST)).toBe(false);
    expect(namesLayer(examinationOf(turnOf([])), DIGEST)).toBe(false);
    const two = turnOf([], [{ policy: { digest: OTHER_DIGEST } }, { policy: { digest: DIGEST } }]);
    expect(namesLayer(examinationOf(two), DIGEST)).toBe(true);
  });

  test("has a reason if any check of it could not be made for that reason", () => {
    const stray = { ...check("input_hash", null), reason: "other_request" } as const;
    const examination = examinationOf(turnOf([check("links", true)]), turnOf([stray]));
    expect(hasReason(examination, "other_request")).toBe(true);
    expect(hasReason(examination, "other_log")).toBe(false);
  });
});

test.each<[Outcome, Outcome[]]>([
  ["holds", []],
  ["holds", ["holds", "holds"]],
  ["holds_so_far", ["holds", "holds_so_far"]],
  ["unreadable", ["holds_so_far", "unreadable", "holds"]],
  ["does_not_hold", ["unreadable", "does_not_hold", "holds_so_far"]],
])("the worst is %s of %j", (worst, outcomes) => {
  expect(worstOf(outcomes)).toBe(worst);
});
