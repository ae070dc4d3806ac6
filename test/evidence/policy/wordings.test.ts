import { describe, expect, test } from "vitest";
import { attestationRequestSchema } from "../../../evidence/core/formats/attestation-request.ts";
import { fillOperator } from "../../../evidence/core/policy/gaps.ts";
import { evaluatePolicy, lookupLayer, rulesOf } from "../../../evidence/core/policy/policy.ts";
import { policyLayers } from "../../../evidence/policy/index.ts";
import { disclosureOf, findWording, hashWordingText, wordingsOf } from "../../../evidence/policy/wordings.ts";

const germany = lookupLayer(policyLayers, "DE");

test.each(germany.wordings)("$id is found by its id and by its digest", ({ id, digest }) => {
  const wording = germany.wordings.find((candidate) => candidate.digest === digest);
  expect([findWording(id), findWording(digest)]).toEqual([
    { wording, layer: germany },
    { wording, layer: germany },
  ]);
});

test("a jurisdiction has its wordings, and another one none", () => {
  expect(wordingsOf("DE")).toBe(germany.wordings);
  expect([wordingsOf("AT"), wordingsOf("XX")]).toEqual([[], []]);
  expect(findWording("de-nothing-1")).toBeNull();
});

describe("what is attested", () => {
  test.each(germany.wordings)("of $id completes a request, and is allowed", (wording) => {
    const disclosure = disclosureOf(wording.id);
    const request = { interaction_id: "call", agent_identity: "agent", ...disclosure };
    expect(attestationRequestSchema.safeParse(request).error).toBeUndefined();
    expect(evaluatePolicy(rulesOf(germany), disclosure, "2026-11-22T12:00:00Z").verdict).toBe("ALLOW");
  });

  test("is by one of the wording's methods", () => {
    expect(disclosureOf("de-chat-label-3", "visual_label")).toEqual(disclosureOf("de-chat-label-3"));
    expect(() => disclosureOf("de-chat-label-3", "written_notice")).toThrow(
      "name a method of de-chat-label-3: visual_label",
    );
    expect(() => disclosureOf("de-nothing-1")).toThrow("there is no wording de-nothing-1");
  });
});

describe("a gap", () => {
  const { text } = findWording("de-voice-answer-1")?.wording ?? expect.unreachable();

  test("is filled with the very name, whatever signs it has", () => {
    expect(fillOperator(text, " Bett & Bad $& ")).toContain("spreche für Bett & Bad $&.");
    expect(hashWordingText(fillOperator(text, "Bäckerei"))).toBe(
      hashWordingText(fillOperator(text, "Bäckerei".normalize("NFD"))),
    );
  });

  test.each(["", "  ", "{operator}", "a\nb", "\u{1b}[2J", "\ud800"])("is not filled with %j", (name) => {
    expect(() => fillOperator(text, name)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });

  test("that is not the operator's is never filled", () => {
    expect(() => fillOperator("Ich spreche für {operator}, Frau {caller}.", "Haus")).toThrow(
      "{caller} is never filled: attest the digest of the text with the gap unfilled",
    );
    expect(() => fillOperator("Ich bin kein Mensch.", "Haus")).toThrow("the text has no gap {operator}");
  });
});
