import { describe, expect, test } from "vitest";
import { formatDigest } from "../../../../evidence/core/merkle/hash.ts";
import { lintLayer } from "../../../../evidence/core/policy/lint.ts";
import { hashWording } from "../../../../evidence/core/policy/policy-layer.ts";
import { policyLayers } from "../../../../evidence/policy/index.ts";

const TODAY = "2026-11-22";
const TEXT = "Guten Tag. Sie sprechen mit einer künstlichen Intelligenz, nicht mit einem Menschen.";

const wordingOf = (changes: object = {}, text = TEXT) => ({
  id: "de-x",
  language: "de",
  modality: "voice",
  methods: ["spoken_introduction"],
  text,
  digest: formatDigest(hashWording(text)),
  use: "First words of a call",
  sources: ["Art. 50(1)"],
  approved_on: "2026-11-20",
  retired_on: null,
  ...changes,
});

const layerOf = (wordings: readonly object[], changes: object = {}) => ({
  jurisdiction: "DE",
  status: "active",
  version: "2026-11-20.1",
  legal_reference: {
    act: "Regulation (EU) 2024/1689",
    eli: "http://data.europa.eu/eli/reg/2024/1689/oj",
    provisions: ["Art. 50(1)"],
    applicable_since: "2026-08-02",
    notes: [],
  },
  disclosure_methods: [
    { id: "spoken_introduction", modalities: ["voice"] },
    { id: "written_notice", modalities: ["chat"] },
  ],
  wordings,
  ...changes,
});

const lint = (layer: unknown): string[] =>
  lintLayer(layer, TODAY).map(({ level, subject, message }) => `${level}: ${subject}: ${message}`);
const lintOf = (changes: object, text?: string): string[] => lint(layerOf([wordingOf(changes, text)]));
const lintText = (text: string, language = "de"): string[] =>
  lintOf({ language }, text).filter((line) => line.includes("Wording"));

const OTHER_TEXT = "Hier spricht eine künstliche Intelligenz, kein Mensch.";

describe("a layer", () => {
  test("in order has no finding", () => {
    expect(lint(layerOf([wordingOf()]))).toEqual([]);
  });

  test.each(policyLayers)("that ships has no fault: $jurisdiction", (layer) => {
    const found = lintLayer(layer, TODAY);
    expect(found.filter(({ level }) => level === "fault")).toEqual([]);
    // The texts of 21 November say KI aloud. No later one does, and no text is ever edited.
    const early = layer.wordings.filter(({ approved_on }) => approved_on === "2026-11-21");
    const warned = found.filter(({ level }) => level === "warning").map(({ subject }) => subject);
    expect(early.map(({ id }) => `Wording ${id}`)).toEqual(expect.arrayContaining(warned));
  });

  test.each([
    [
      "a digest of another text",
      { digest: `sha256:${"0".repeat(64)}` },
      `fault: Wording de-x: The digest is not that of the text. The digest of this text is ${formatDigest(hashWording(TEXT))}.`,
    ],
    [
      "an end before its beginning",
      { retired_on: "2026-11-19" },
      "fault: Wording de-x: It is retired on 2026-11-19, before it was approved on 2026-11-20.",
    ],
    [
      "a method of another modality",
      { methods: ["written_notice"] },
      "fault: Wording de-x: The method written_notice is not for voice in this layer.",
    ],
    [
      "a method that there is not",
      { methods: ["pigeon"] },
      "fault: Wording de-x: The method pigeon is not among the disclosure_methods of this layer.",
    ],
    [
      "an id of a customer's",
      { id: "own-1" },
      "fault: Wording own-1: An id that begins with own- is for wordings that a customer registers. Choose another id.",
    ],
    ["a member of no layer", { txt: "x" }, "fault: Wording de-x: It has “txt”, which no layer has."],
    [
      "no use",
      { use: undefined },
      "fault: Wording de-x: “use” is missing, or is of another type than string.",
    ],
    [
      "a day to come",
      { approved_on: "2026-12-01" },
      "warning: Wording de-x: It is approved from 2026-12-01: before that day its receipts say MODIFY.",
    ],
    [
      "a day after the version's",
      { approved_on: "2026-11-21" },
      "warning: Wording de-x: It was approved on 2026-11-21, after the day of the layer's version.",
    ],
    [
      "an end without a successor",
      { retired_on: "2026-12-31" },
      "warning: Wording de-x: It is retired on 2026-12-31, and no wording of its language and method takes its place.",
    ],
  ])("whose wording has %s is told so, once", (_, changes, line) => {
    expect(lintOf(changes)).toEqual([line]);
  });

  test("whose wording may only be reported like another one has no successor in that", () => {
    const methods = ["spoken_introduction", "reported_after_call"];
    const ending = wordingOf({ methods, retired_on: "2026-12-31" });
    const other = { id: "de-y", methods: ["spoken_reminder", "reported_after_call"] };
    const disclosure_methods = [
      { id: "reported_after_call", modalities: ["voice"], reported: true },
      ...["spoken_introduction", "spoken_reminder"].map((id) => ({ id, modalities: ["voice"] })),
    ];
    const lines = lint(layerOf([ending, wordingOf(other, OTHER_TEXT)], { disclosure_methods }));
    expect(lines).toEqual([expect.stringContaining("no wording of its language and method takes its place")]);
  });

  test("tells all its faults in one run", () => {
    const wrong = wordingOf({ digest: "sha256:0", approved_on: "soon", sources: [], modality: "smoke" });
    const lines = lint(layerOf([wrong, wordingOf({ id: "de-y", extra: 1 }, "Guten Tag.")], { status: "on" }));
    for (const part of ["digest is not that", "approved_on", "sources", "modality", "extra", "status"])
      expect(lines.join("\n")).toContain(part);
    expect(lines.join("\n")).toContain("Wording de-y: The text does not say that it is an artificial");
  });

  test("does not repeat an id, a text or a digest; white space and case alone make another digest", () => {
    const shouted = TEXT.replace("Guten Tag", "guten  tag");
    expect(lint(layerOf([wordingOf(), wordingOf({}, OTHER_TEXT)]))).toEqual([
      "fault: Wording de-x: Entries 1 and 2 have the same id.",
    ]);
    expect(lint(layerOf([wordingOf(), wordingOf({ id: "de-y" })]))[0]).toBe(
      "fault: Wording de-y: Its text is that of Wording de-x. Keep one of the two.",
    );
    expect(lint(layerOf([wordingOf(), wordingOf({ id: "de-y" }, shouted)]))).toEqual([
      "warning: Wording de-y: Its text differs from that of Wording de-x in white space or case alone: the digests differ all the same.",
    ]);
  });

  test("that ends one wording with another in its place is in order", () => {
    const ended = wordingOf({ retired_on: "2026-12-31" });
    expect(lint(layerOf([ended, wordingOf({ id: "de-y" }, OTHER_TEXT)]))).toEqual([]);
  });

  test.each([
    [layerOf([]), "fault: The layer: It is active, and has no wording."],
    [
      layerOf([wordingOf()], { status: "planned" }),
      "warning: The layer: It is planned: nobody can attest its wordings before it is in development.",
    ],
    [
      { ...layerOf([wordingOf()]), additions: {} },
      "fault: The layer: It holds a customer's own wordings (additions). The layer that they were added to can be checked.",
    ],
  ])("as a whole is judged, too", (layer, line) => {
    expect(lint(layer)).toEqual([line]);
  });

  test.each([null, [], "layer", 1, {}])("that is none, %j, has faults and no exception", (data) => {
    expect(lint(data).length).toBeGreaterThan(0);
  });
});

describe("a text", () => {
  const NO_AI = "fault: Wording de-x: The text does not say that it is an artificial intelligence.";
  const NO_DENIAL = "warning: Wording de-x: The text does not say that there is no human being.";
  const DENIAL = "fault: Wording de-x: The text denies that it is an artificial intelligence.";

  test.each([
    ["de", "Guten Tag, hier ist Ihre Assistentin. Ich bin kein Mensch.", [NO_AI]],
    ["de", "Sie sprechen mit einer künstlichen Intelligenz.", [NO_DENIAL]],
    ["de", "Ich bin keine künstliche Intelligenz, sondern ein Mensch.", [DENIAL]],
    ["de", "Künstliche Intelligenz beantwortet Ihren Anruf. Kein Mensch spricht hier.", []],
    ["de", "Keine künstliche Intelligenz, sondern ein Mensch spricht hier.", [DENIAL]],
    ["en", "You are speaking with artificial intelligence, not with a human being.", []],
    ["en", "You are speaking with a virtual assistant, not with a human being.", [NO_AI]],
    ["en", "I am not an AI.", [DENIAL]],
    ["nl", "U spreekt met kunstmatige intelligentie, niet met een mens.", []],
    ["nl", "U spreekt met een AI-systeem.", [NO_DENIAL]],
    ["fr", "Vous parlez avec une intelligence artificielle, pas avec un être humain.", []],
    ["fr", "Bonjour, je suis votre assistante.", [NO_AI, NO_DENIAL]],
  ])("in %s names the AI and denies the human being: %s", (language, text, lines) => {
    expect(lintText(text, language)).toEqual(lines);
  });

  test("in a language that the lint does not know is left to its reader", () => {
    expect(lintOf({ language: "pl" }, "Rozmawiasz ze sztuczną inteligencją.")).toEqual([
      "note: The layer: This program can't judge texts in pl: read what they say.",
      "warning: The layer: It has no wording in de, a language of DE.",
      "note: The layer: pl is no official language of DE: those texts are for conversations in pl.",
    ]);
  });

  test.each([
    ["KI", "Hier spricht eine KI, kein Mensch.", "voices differ in how they read KI"],
    ["Dr.", `${OTHER_TEXT} Ich spreche für Dr. Meier.`, "voices differ in how they read Dr."],
    ["a bracket", "Eine künstliche Intelligenz (kein Mensch) spricht.", "brackets can't be heard"],
    ["a digit", `${OTHER_TEXT} Sie sind Anrufer 3.`, "write its numbers out in words"],
  ])("that is spoken has no %s", (_, text, part) => {
    expect(lintText(text)).toEqual([expect.stringContaining(`warning: Wording de-x: It is spoken`)]);
    expect(lintText(text).join()).toContain(part);
  });

  test("has gaps that are never filled, but the one of the operator", () => {
    expect(lintText(`${OTHER_TEXT} Ich spreche für {operator}.`)).toEqual([]);
    expect(lintText(`${OTHER_TEXT} Ich spreche für {doctor}.`)).toEqual([
      "note: Wording de-x: The gap {doctor} is never filled. Hash the registered text, never the spoken one.",
    ]);
  });
});
