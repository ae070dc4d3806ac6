import { describe, expect, test } from "vitest";
import { CHECK_NAMES } from "../../../evidence/core/verify/check-names.ts";
import { policyLayers } from "../../../evidence/policy/index.ts";
import { languageName } from "../../../evidence/reader/text/format.ts";
import { chooseLanguage, LANGUAGES, type Language } from "../../../evidence/reader/text/languages.ts";
import { termIn, textIn } from "../../../evidence/reader/text/text.ts";
import { evidenceVectors } from "../../support/evidence.ts";

const languages = Object.keys(LANGUAGES) as Language[];

const FINDINGS = [
  "method_not_for_modality",
  "method_reported",
  "method_unknown",
  "wording_for_other_method",
  "wording_for_other_modality",
  "wording_not_yet_approved",
  "wording_retired",
  "wording_unknown",
];

describe("the texts", () => {
  test.each(languages)("in %s have every check that a vector fails or leaves unmade", (language) => {
    const names = evidenceVectors.flatMap(({ failing, unmade }) => [...failing, ...unmade]);
    for (const name of names) {
      const last = name.replace(/^.*\//, "");
      expect(Object.keys(textIn(language).checkTexts)).toContain(last);
    }
  });

  test.each(languages)("in %s have a term for every method, modality, finding and verdict", (language) => {
    const methods = policyLayers.flatMap((layer) => layer.disclosure_methods);
    const labels = [
      ...methods.flatMap(({ id, modalities }) => [id, ...modalities]),
      ...FINDINGS,
      "ALLOW",
      "MODIFY",
      "BLOCK",
    ];
    expect(labels.filter((label) => !Object.hasOwn(textIn(language).terms, label))).toEqual([]);
  });

  test("are translated, check by check", () => {
    for (const name of CHECK_NAMES) {
      const [german, english] = [textIn("de").checkTexts[name], textIn("en").checkTexts[name]];
      expect([german.holds, german.broken, german.open]).not.toEqual([
        english.holds,
        english.broken,
        english.open,
      ]);
    }
  });

  test("let a label that nobody knows stand for itself, whatever it is called", () => {
    expect(termIn(textIn("de"), "toString")).toBe("toString");
    expect(termIn(textIn("en"), "__proto__")).toBe("__proto__");
  });
});

describe("languageName", () => {
  test.each([
    ["de", "German"],
    ["de-AT", "Austrian German"],
    // Layers are evidence, and Intl throws at these.
    ["", "–"],
    ["no language at all", "no language at all"],
    ["x".repeat(500), `${"x".repeat(160)}…`],
  ])("reads the tag %j as %s", (tag, name) => {
    expect(languageName("en-GB", tag)).toBe(name);
  });
});

describe("chooseLanguage", () => {
  test.each([
    [["de-AT", "en"], "de"],
    [["fr-FR", "de"], "de"],
    [["fr", "nl"], "en"],
    [["", "en-US", "de"], "en"],
    [[], "en"],
  ] as const)("takes %j for %s", (wanted, language) => {
    expect(chooseLanguage(wanted)).toBe(language);
  });
});
