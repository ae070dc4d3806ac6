import fc from "fast-check";
import { expect, test } from "vitest";
import { MODALITIES } from "../../../../evidence/core/formats/attestation-request.ts";
import { evaluatePolicy, lookupLayer, rulesOf } from "../../../../evidence/core/policy/policy.ts";
import type { Modality } from "../../../../evidence/core/policy/policy-layer.ts";
import type { PolicyRules } from "../../../../evidence/core/policy/policy-rules.ts";
import { policyLayers } from "../../../../evidence/policy/index.ts";

const digest = (digit: string): string => `sha256:${digit.repeat(64)}`;
const INTRODUCTION = digest("1");
const NOTICE = digest("2");
const RETIRED = digest("3");
const REPEAT = digest("5");
const UNHEARD_OF = digest("f");

const NOON = "2026-09-01T12:00:00.000Z";

const rules: PolicyRules = {
  jurisdiction: "DE",
  version: "2026-08-02.1",
  status: "active",
  digest: digest("4"),
  disclosure_methods: [
    { id: "reported_after_call", modalities: ["voice"], reported: true },
    { id: "spoken_introduction", modalities: ["voice", "walkthrough"] },
    { id: "spoken_reminder", modalities: ["voice"], reported: false },
    { id: "written_notice", modalities: ["chat"] },
  ],
  wordings: [
    rule("introduction", "voice", "spoken_introduction", INTRODUCTION, null),
    rule("notice", "chat", "written_notice", NOTICE, null),
    rule("retired", "voice", "spoken_introduction", RETIRED, "2026-10-31"),
    {
      ...rule("repeat", "voice", "spoken_introduction", REPEAT, null),
      methods: ["spoken_introduction", "reported_after_call"],
    },
  ],
};

function rule(id: string, modality: Modality, method: string, digest: string, retired_on: string | null) {
  return { id, language: "de", modality, methods: [method], digest, approved_on: "2026-08-02", retired_on };
}

function evaluate(modality: Modality, disclosure_method: string, subject_hash: string, at = NOON) {
  const { verdict, policy } = evaluatePolicy(rules, { modality, disclosure_method, subject_hash }, at);
  return { verdict, wording_id: policy.wording_id, findings: policy.findings };
}

test("an approved wording for its modality and method is allowed, and the policy names layer and wording", () => {
  const facts = {
    modality: "voice",
    disclosure_method: "spoken_introduction",
    subject_hash: INTRODUCTION,
  } as const;
  expect(evaluatePolicy(rules, facts, NOON)).toEqual({
    policy: {
      jurisdiction: "DE",
      version: "2026-08-02.1",
      digest: rules.digest,
      wording_id: "introduction",
      findings: [],
    },
    verdict: "ALLOW",
  });
});

test.each([
  ["voice", "spoken_introduction", UNHEARD_OF, null, ["wording_unknown"]],
  ["voice", "smoke_signal", UNHEARD_OF, null, ["method_unknown", "wording_unknown"]],
  ["chat", "spoken_reminder", UNHEARD_OF, null, ["method_not_for_modality", "wording_unknown"]],
  ["voice", "spoken_reminder", INTRODUCTION, "introduction", ["wording_for_other_method"]],
  ["voice", "smoke_signal", INTRODUCTION, "introduction", ["method_unknown", "wording_for_other_method"]],
  [
    "voice",
    "written_notice",
    INTRODUCTION,
    "introduction",
    ["method_not_for_modality", "wording_for_other_method"],
  ],
  ["walkthrough", "spoken_introduction", INTRODUCTION, "introduction", ["wording_for_other_modality"]],
  ["chat", "smoke_signal", INTRODUCTION, "introduction", ["method_unknown", "wording_for_other_modality"]],
  ["voice", "reported_after_call", REPEAT, "repeat", ["method_reported"]],
  [
    "voice",
    "reported_after_call",
    INTRODUCTION,
    "introduction",
    ["method_reported", "wording_for_other_method"],
  ],
  ["voice", "reported_after_call", UNHEARD_OF, null, ["method_reported", "wording_unknown"]],
  [
    "chat",
    "reported_after_call",
    REPEAT,
    "repeat",
    ["method_not_for_modality", "method_reported", "wording_for_other_modality"],
  ],
  [
    "chat",
    "spoken_introduction",
    INTRODUCTION,
    "introduction",
    ["method_not_for_modality", "wording_for_other_modality"],
  ],
] as const)("%s by %s with %s is asked to change", (modality, method, hash, wording_id, findings) => {
  expect(evaluate(modality, method, hash)).toEqual({ verdict: "MODIFY", wording_id, findings });
});

test.each([
  ["2026-08-01T23:59:59.999Z", "MODIFY", ["wording_not_yet_approved"]],
  ["2026-08-02T00:00:00.000Z", "ALLOW", []],
  ["2026-10-31T00:00:00Z", "ALLOW", []],
  ["2026-10-31T23:59:59.999Z", "ALLOW", []],
  ["2026-11-01T00:00:00.000Z", "BLOCK", ["wording_retired"]],
  ["2027-01-01T00:00:00.000Z", "BLOCK", ["wording_retired"]],
] as const)("at %s a wording approved from 2 August to 31 October gets %s", (at, verdict, findings) => {
  expect(evaluate("voice", "spoken_introduction", RETIRED, at)).toEqual({
    verdict,
    wording_id: "retired",
    findings,
  });
});

test("a wording that may be reported is allowed where it was not", () => {
  expect(evaluate("voice", "spoken_introduction", REPEAT)).toMatchObject({ verdict: "ALLOW", findings: [] });
});

test("a retired wording is blocked whatever else there is to change", () => {
  expect(evaluate("chat", "smoke_signal", RETIRED, "2026-11-01T00:00:00.000Z")).toEqual({
    verdict: "BLOCK",
    wording_id: "retired",
    findings: ["method_unknown", "wording_for_other_modality", "wording_retired"],
  });
});

test.each(["2026-10-31", "2026-11-01T00:30:00+01:00", "2026-10-31T23:59:59", "Sat Oct 31 2026", ""])(
  "the day of %j can't be told and is refused",
  (at) => {
    expect(() => evaluate("voice", "spoken_introduction", RETIRED, at)).toThrowError(
      expect.objectContaining({ code: "malformed" }),
    );
  },
);

test("findings are sorted, without repeats, empty exactly for ALLOW, and don't hang on the order of the layer", () => {
  const facts = fc.record({
    modality: fc.constantFrom(...MODALITIES),
    disclosure_method: fc.constantFrom(
      "reported_after_call",
      "spoken_introduction",
      "spoken_reminder",
      "written_notice",
      "smoke_signal",
    ),
    subject_hash: fc.constantFrom(INTRODUCTION, NOTICE, REPEAT, RETIRED, UNHEARD_OF),
  });
  const at = fc.constantFrom("2026-08-01T00:00:00Z", NOON, "2026-12-24T18:00:00Z");
  const reversed = {
    ...rules,
    disclosure_methods: rules.disclosure_methods.toReversed(),
    wordings: rules.wordings.toReversed(),
  };
  fc.assert(
    fc.property(facts, at, (f, t) => {
      const outcome = evaluatePolicy(rules, f, t);
      const { findings } = outcome.policy;
      expect(findings).toEqual([...new Set(findings)].sort());
      expect(outcome.verdict === "ALLOW").toBe(findings.length === 0);
      expect(evaluatePolicy(reversed, f, t)).toEqual(outcome);
    }),
  );
});

test("the active layer of a country is found", () => {
  expect(lookupLayer(policyLayers, "DE").jurisdiction).toBe("DE");
});

test.each([
  ["NL", "in_development"],
  ["BE", "planned"],
  ["AT", "planned"],
  ["FR", "not_covered"],
])("%s has no active layer: %s", (jurisdiction, status) => {
  expect(() => lookupLayer(policyLayers, jurisdiction)).toThrowError(
    expect.objectContaining({ code: "jurisdiction_not_active", evidence: { jurisdiction, status } }),
  );
});

test("a preview may use a layer in development, whose verdict says so, and no planned one", () => {
  const layer = lookupLayer(policyLayers, "NL", true);
  const facts = { modality: "chat", disclosure_method: "smoke_signal", subject_hash: UNHEARD_OF } as const;
  expect(evaluatePolicy(rulesOf(layer), facts, NOON).policy.findings).toEqual([
    "layer_in_development",
    "method_unknown",
    "wording_unknown",
  ]);
  for (const jurisdiction of ["BE", "FR"])
    expect(() => lookupLayer(policyLayers, jurisdiction, true)).toThrowError(
      expect.objectContaining({ code: "jurisdiction_not_active" }),
    );
});

test.each(["x2026-10-31T00:00:00Z", "2026-10-31T00:00:00ZZ", "2026-10-31T00:00:00.Z"])(
  "%j is no time, at either end",
  (at) => {
    expect(() => evaluate("voice", "spoken_introduction", RETIRED, at)).toThrowError(
      expect.objectContaining({ code: "malformed" }),
    );
  },
);
