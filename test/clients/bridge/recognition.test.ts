// Registered texts in what was spoken: whole, in order, whatever a transcript makes of signs and case.
import { describe, expect, test } from "vitest";
import type { AgentTurn } from "../../../clients/bridge/call-report.ts";
import { knownTexts } from "../../../clients/bridge/known-texts.ts";
import { recognise } from "../../../clients/bridge/recognition.ts";
import { bridgeSettingsSchema } from "../../../contract/bridge-settings.ts";
import { hashWordingText } from "../../../evidence/policy/wordings.ts";
import { HANDOFF, INTRODUCTION, OPERATOR, REMINDER } from "./platforms.ts";

const OWN = "Hallo! Hier ist der Bot der Stadtwerke (kein Mensch).";
const settings = bridgeSettingsSchema.parse({
  jurisdiction: "DE",
  operator: OPERATOR,
  texts: [{ text: OWN, method: "spoken_introduction" }],
});
const texts = knownTexts(settings);
const AT = new Date("2026-11-23T10:00:00Z");

const turn = (text: string, more: Partial<AgentTurn> = {}): AgentTurn => ({
  pieces: [{ text, endedAt: AT }],
  agent: "a",
  isCutOff: false,
  seconds: null,
  ...more,
});

/** The methods of what is recognised, and how many were missed. */
function heard(...turns: AgentTurn[]): [string[], number] {
  const { statements, missed } = recognise(turns, texts);
  return [statements.map(({ text }) => text.disclosure.disclosure_method), missed];
}

describe("a registered text", () => {
  test.each([
    ["as it is registered", INTRODUCTION],
    ["without signs, in capitals", INTRODUCTION.replaceAll(/[.,]/g, "").toUpperCase()],
    ["with other spaces and dashes", INTRODUCTION.replaceAll(" ", " \n– ")],
    ["in another form of Unicode", INTRODUCTION.normalize("NFD")],
    [
      "spelled out and run together",
      INTRODUCTION.replace("künstlichen Intelligenz", "k ü nst lichenintelligenz"),
    ],
    ["within more", `Hm. ${INTRODUCTION} Wie kann ich Ihnen helfen?`],
  ])("is recognised %s", (_, text) => {
    expect(heard(turn(text))).toEqual([["spoken_introduction"], 0]);
  });

  test("is attested by the digest of the text as it is registered, any gap unfilled", () => {
    const { statements } = recognise([turn(INTRODUCTION), turn(OWN)], texts);
    expect(statements.map(({ text }) => text.disclosure.subject_hash)).toEqual([
      hashWordingText(INTRODUCTION.replace(OPERATOR, "{operator}")),
      hashWordingText(OWN),
    ]);
  });

  test.each([
    ["cut off at its end", INTRODUCTION.split(" ").slice(0, -1).join(" "), 1],
    ["with a word left out", INTRODUCTION.replace("nicht ", ""), 0],
    ["with another name", INTRODUCTION.replace("Doktor", "Doctor"), 0],
    ["in another order", INTRODUCTION.split(" ").reverse().join(" "), 0],
    ["that has hardly begun", "Guten Tag.", 0],
    ["as a part of longer words", `Un${INTRODUCTION}`, 0],
    ["in which a word only begins as another", `${INTRODUCTION.slice(0, -1)}er`, 0],
  ])("is not recognised %s", (_, text, missed) => {
    expect(heard(turn(text))).toEqual([[], missed]);
  });

  test("is missed where the platform says that it was cut off, and not where", () => {
    expect(heard(turn(INTRODUCTION, { isCutOff: true }))).toEqual([[], 1]);
    expect(heard(turn("Guten Tag. Sie", { isCutOff: true }))).toEqual([[], 1]);
    expect(heard(turn("Moment bitte", { isCutOff: true }))).toEqual([[], 0]);
  });

  test("is missed where there was no time for all of it", () => {
    expect(heard(turn(INTRODUCTION, { seconds: 2 }))).toEqual([[], 1]);
    expect(heard(turn(INTRODUCTION, { seconds: 8 }))).toEqual([["spoken_introduction"], 0]);
  });

  test("that is part of a longer one is not said with it", () => {
    const longer = `${REMINDER} Fragen Sie gern nach.`;
    const own = { ...settings, texts: [{ text: longer, method: "spoken_answer" }] };
    const methods = recognise([turn(longer), turn(REMINDER)], knownTexts(own)).statements.map(
      ({ text }) => text.disclosure.disclosure_method,
    );
    expect(methods).toEqual(["spoken_answer", "spoken_reminder"]);
  });

  test("has the moment of its last word, and the agent that said it", () => {
    const pieces = `${REMINDER} Und weiter`.split(" ").map((text, i) => ({ text, endedAt: new Date(i) }));
    const { statements } = recognise([turn("", { pieces, agent: "b" })], texts);
    expect(statements).toMatchObject([{ agent: "b", endedAt: new Date(REMINDER.split(" ").length - 1) }]);
  });
});

test("the texts of a call are found in their order", () => {
  const all = [turn(`${INTRODUCTION} ${REMINDER}`), turn("Guten Tag. Sie sprechen mit"), turn(HANDOFF)];
  expect(heard(...all)).toEqual([["spoken_introduction", "spoken_reminder", "spoken_handoff"], 1]);
});

test("an own text without letters is refused, for it would be in everything", () => {
  const own = { ...settings, texts: [{ text: "…!", method: "spoken_answer" }] };
  expect(() => knownTexts(own)).toThrow("texts.0: must have letters");
});

describe("without an operator's name", () => {
  const { operator: _, ...unnamed } = settings;

  test("texts that say one are not listened for", () => {
    const known = knownTexts(unnamed);
    expect(recognise([turn(INTRODUCTION), turn(REMINDER)], known).statements).toHaveLength(1);
  });

  test("an own text that says one is refused, and so is a jurisdiction without texts", () => {
    const own = { ...unnamed, texts: [{ text: "Hier ist {operator}.", method: "spoken_answer" }] };
    expect(() => knownTexts(own)).toThrow("texts.0: set `operator`");
    expect(() => knownTexts({ ...unnamed, jurisdiction: "AT", texts: [] })).toThrow(
      "no text is known for AT",
    );
  });
});
