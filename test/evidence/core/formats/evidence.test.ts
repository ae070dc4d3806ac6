// The schemas of evidence take lists of one length, and leave an object's members as they came.
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../evidence/core/canonical-json.ts";
import {
  bundleEvidenceSchema,
  kindMembersOf,
  untouchedObject,
} from "../../../../evidence/core/formats/evidence.ts";
import { evidenceBundleSchema } from "../../../../evidence/core/formats/evidence-bundle.ts";
import { readEvidence } from "../../../support/vector-files.ts";

const bundle = readEvidence("bundles/conversation.json") as JsonObject;
const turns = bundle.receipts as readonly JsonObject[];
const erasure = { erased_at: "2026-11-22T10:00:00.000Z", erased_by: "officer", ground: "request" };
const erasures = turns.map((_, i) => (i === 0 ? erasure : null));

test.each([
  ["a receipt or a proof", { merkle_proof: 1 }, ["merkle_proof"]],
  ["a bundle", { proofs: 1, receipts: 1 }, ["proofs"]],
  ["a published root", { consistency_path: 1 }, ["consistency_path"]],
  ["none", { receipts: 1 }, []],
  ["none by what it inherits", Object.create({ proofs: 1 }), []],
  ["two", { proofs: 1, merkle_proof: 1 }, ["merkle_proof", "proofs"]],
])("an object is known by its members: %s", (_, value, names) => {
  expect(kindMembersOf(value)).toEqual(names);
});

test.each([null, undefined, "text", 7, true, []])("%j is no object", (value) => {
  expect(untouchedObject.safeParse(value).success).toBe(false);
});

test("an object comes as it is, a member __proto__ too", () => {
  const value = JSON.parse('{"__proto__":{"a":1},"b":2}');
  expect(untouchedObject.parse(value)).toBe(value);
});

test.each(["conversation", "conversation-unsealed"])("the bundle %s is read as it is", (name) => {
  const whole = { ...(readEvidence(`bundles/${name}.json`) as JsonObject), erasures };
  expect(evidenceBundleSchema.parse(whole)).toEqual(whole);
});

describe("a bundle", () => {
  const messagesOf = (change: object) =>
    bundleEvidenceSchema.safeParse({ ...bundle, ...change }).error?.issues.map(({ message }) => message);

  test("may have an erasure or null for each turn, and a reader has them", () => {
    expect(bundleEvidenceSchema.parse({ ...bundle, erasures }).erasures).toEqual(erasures);
  });

  test.each(["requests", "proofs"])("has as many %s as receipts", (name) => {
    const fewer = { [name]: (bundle[name] as readonly unknown[]).slice(1) };
    expect(messagesOf(fewer)).toEqual(["must have as many requests and proofs as receipts"]);
  });

  test.each([
    ["fewer", erasures.slice(1)],
    ["more", [...erasures, null]],
    ["none in a list", []],
  ])("has as many erasures as receipts, or no list: not %s", (_, wrong) => {
    expect(messagesOf({ erasures: wrong })).toEqual(["must have as many erasures as receipts, or none"]);
  });
});
