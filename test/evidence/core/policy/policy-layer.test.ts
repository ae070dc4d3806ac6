import { expect, test } from "vitest";
import { formatDigest } from "../../../../evidence/core/merkle/hash.ts";
import { hashWording, parsePolicyLayer } from "../../../../evidence/core/policy/policy-layer.ts";

const digestOf = (text: string): string => formatDigest(hashWording(text));

const wording = {
  id: "de-chat-test-1",
  language: "de",
  modality: "chat",
  methods: ["written_notice"],
  text: "Für Sie schreibt ein KI-System.",
  digest: digestOf("Für Sie schreibt ein KI-System."),
  use: "First words of a conversation",
  sources: ["Art. 50(1)"],
  approved_on: "2026-08-02",
  retired_on: null as string | null,
};

const layer = {
  jurisdiction: "DE",
  status: "active",
  version: "2026-08-02.1",
  legal_reference: {
    act: "Regulation (EU) 2024/1689",
    eli: "http://data.europa.eu/eli/reg/2024/1689/oj",
    provisions: ["Art. 50(1)"],
    applicable_since: "2026-08-02",
    notes: [],
  },
  disclosure_methods: [{ id: "written_notice", modalities: ["chat"] }],
  wordings: [wording],
};

const withWording = (change: object) => ({ ...layer, wordings: [{ ...wording, ...change }] });
const withText = (text: string) => withWording({ text, digest: text.isWellFormed() ? digestOf(text) : "" });

// printf 'Für' | sha256sum, with ü as U+00FC
const FUER = "sha256:6dd86f1d7a225b25f9bf2d60fbf2ad1eabc6dfa23808a4b783a6b308dea461c4";

test("the digest of a wording is SHA-256 over the UTF-8 of its NFC form, whichever way ü was typed", () => {
  expect(digestOf("F\u00fcr")).toBe(FUER);
  expect(digestOf("Fu\u0308r")).toBe(FUER);
});

test("case, white space and line ends are part of a wording", () => {
  const digests = ["Für", "für", " Für", "Für\n", "Für\r\n"].map(digestOf);
  expect(new Set(digests).size).toBe(5);
});

test("a lone surrogate has no digest", () => {
  expect(() => hashWording("\ud800")).toThrowError(expect.objectContaining({ code: "malformed" }));
});

test("a sound layer comes back as it was, and frozen", () => {
  const parsed = parsePolicyLayer(layer);
  expect(parsed).toEqual(layer);
  expect(Object.isFrozen(parsed.wordings)).toBe(true);
  expect(Object.isFrozen(parsed.wordings[0])).toBe(true);
});

test.each([
  { version: "2026-08-02.1234" },
  withWording({ language: "de-AT" }),
  withWording({ language: "nds" }),
  withWording({ retired_on: "2026-08-02" }),
  withWording({ id: "de-own-" }),
])("a layer may have %j", (change) => {
  expect(() => parsePolicyLayer({ ...layer, ...change })).not.toThrow();
});

test.each<readonly [string, object, string]>([
  ["an unknown field", { ...layer, comment: "" }, "which it must not have"],
  ["a jurisdiction that is no country", { ...layer, jurisdiction: "EU" }, "not an ISO 3166-1 alpha-2 code"],
  ["an unknown status", { ...layer, status: "draft" }, "must be one of"],
  ["an active layer without wordings", { ...layer, wordings: [] }, "an active layer has no wording"],
  [
    "a text that was edited after it was hashed",
    withWording({ text: "Hier schreibt ein KI-System." }),
    "digest",
  ],
  ["a text in NFD", withText("Fu\u0308r Sie"), "text is not Unicode NFC"],
  ["a text with a lone surrogate", withText("\ud800"), "text is not Unicode NFC"],
  ["a text with a trailing newline", withText("Für Sie\n"), "white space"],
  ["a day that does not exist", withWording({ approved_on: "2026-02-30" }), "must be a date"],
  ["an end before the approval", withWording({ retired_on: "2026-08-01" }), "retired before it was approved"],
  [
    "a wording by a method its modality lacks",
    withWording({ modality: "voice" }),
    "method its modality lacks",
  ],
  [
    "a wording by a method nobody listed",
    withWording({ methods: ["smoke_signal"] }),
    "method its modality lacks",
  ],
  [
    "a wording one of whose methods its modality lacks",
    withWording({ methods: ["written_notice", "smoke_signal"] }),
    "method its modality lacks",
  ],
  ["a note with white space around it", withWording({ use: " First words" }), "white space"],
  ["an id of a tenant's own", withWording({ id: "own-1" }), "is a tenant's"],
  ...["De-1", "de-1!", "!de-1", ""].map(
    (id) => [`the id ${JSON.stringify(id)}`, withWording({ id }), "must match"] as const,
  ),
  ...["2026-08-02", "x2026-08-02.1", "2026-08-02.1x"].map(
    (version) => [`the version ${version}`, { ...layer, version }, "must match"] as const,
  ),
  ...["d", "de-de", "de-D", "de-DEU", "deutsch", "1de"].map(
    (language) => [`the language ${language}`, withWording({ language }), "must match"] as const,
  ),
  ["two wordings with one id", twoWordings({ ...otherText(), id: wording.id }), "share an id"],
  ["two wordings with one digest", twoWordings({ id: "de-chat-test-2" }), "share a digest"],
  [
    "two methods with one id",
    { ...layer, disclosure_methods: [...layer.disclosure_methods, ...layer.disclosure_methods] },
    "two methods share an id",
  ],
])("%s is no layer", (_, data, reason) => {
  expect(() => parsePolicyLayer(data)).toThrowError(
    expect.objectContaining({
      code: "misconfigured",
      evidence: {
        issues: expect.arrayContaining([
          expect.objectContaining({ message: expect.stringContaining(reason) }),
        ]),
      },
    }),
  );
});

function otherText() {
  const text = "Diese Antwort kommt von einem KI-System.";
  return { text, digest: digestOf(text) };
}

function twoWordings(change: object) {
  return { ...layer, wordings: [wording, { ...wording, ...change }] };
}
