// The rules in a layer as it came from somewhere.
import { describe, expect, test } from "vitest";
import { canonicalBytes } from "../../../../evidence/core/canonical-json.ts";
import { formatDigest, hashBytes } from "../../../../evidence/core/merkle/hash.ts";
import { lookupLayer, rulesOf } from "../../../../evidence/core/policy/policy.ts";
import { readRules } from "../../../../evidence/core/policy/policy-rules.ts";
import { policyLayers } from "../../../../evidence/policy/index.ts";

const layer = lookupLayer(policyLayers, "DE");
const malformed = expect.objectContaining({ code: "malformed" });

describe("readRules", () => {
  test.each(["active", "in_development", "planned"] as const)("reads a layer that is %s", (status) => {
    const given = { ...layer, status };
    const [wording] = layer.wordings;
    const rules = readRules(given);
    expect(rules).toMatchObject({ jurisdiction: layer.jurisdiction, version: layer.version, status });
    expect(rules.wordings[0]).toMatchObject({ id: wording?.id, digest: wording?.digest });
    expect(rules.disclosure_methods.map(({ id }) => id)).toEqual(
      layer.disclosure_methods.map(({ id }) => id),
    );
    expect(rules.digest).toBe(formatDigest(hashBytes(canonicalBytes(given))));
  });

  test("has the digest of the whole layer, with members that nobody knows", () => {
    expect(readRules({ ...layer, added_later: true }).digest).not.toBe(readRules(layer).digest);
    expect(readRules(layer).digest).toBe(rulesOf(layer).digest);
  });

  test.each([
    ["null", null],
    ["no object", "layer"],
    ["no wordings", { ...layer, wordings: undefined }],
    ["a status that there is not", { ...layer, status: "" }],
    ["a modality that there is not", { ...layer, disclosure_methods: [{ id: "a", modalities: ["smell"] }] }],
    [
      "a day that there is not",
      { ...layer, wordings: [{ ...layer.wordings[0], approved_on: "2026-02-30" }] },
    ],
    ["a wording without an end", { ...layer, wordings: [{ ...layer.wordings[0], retired_on: undefined }] }],
  ])("refuses %s", (_what, given) => {
    expect(() => readRules(given)).toThrow(malformed);
  });
});
