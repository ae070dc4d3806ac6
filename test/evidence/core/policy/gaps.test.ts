// Gaps in the text of a wording: which there are, how {operator} is filled, and which texts fit.
import { describe, expect, test } from "vitest";
import { fillOperator, fitsGaps, gapsOf, hasOnlyGaps } from "../../../../evidence/core/policy/gaps.ts";

const refused = expect.objectContaining({ code: "invalid_request" });

test("gaps are named once each, in the order of the text", () => {
  expect(gapsOf("{b} {a_1} {b}")).toEqual(["b", "a_1"]);
  expect(gapsOf("no gap")).toEqual([]);
  const longest = "a".repeat(32);
  expect(gapsOf(`{${longest}} {${longest}a} {1a} {A} {}`)).toEqual([longest]);
});

test("every brace belongs to a gap, or the text is no wording", () => {
  expect(hasOnlyGaps("{a} and {b}")).toBe(true);
  for (const text of ["{a", "a}", "{A}", "{{a}}", "{a b}"]) expect(hasOnlyGaps(text)).toBe(false);
});

describe("fillOperator", () => {
  test("fills the gap wherever it is, with the name as it is, without space around it, in NFC", () => {
    expect(fillOperator("{operator}: I am AI, says {operator}.", " Bett & Bad $& ")).toBe(
      "Bett & Bad $&: I am AI, says Bett & Bad $&.",
    );
    expect(fillOperator("{operator}", "Ba\u0308ckerei")).toBe("B\u00e4ckerei");
  });

  test.each([
    ["", "nothing"],
    ["  ", "white space"],
    ["{a", "a brace"],
    ["a}", "another brace"],
    ["a\nb", "a line break"],
    ["a\u2028b", "a line separator"],
    ["a\u2029b", "a paragraph separator"],
    ["\ud800", "a lone surrogate"],
  ])("takes no name like %j: %s", (name) => {
    expect(() => fillOperator("{operator}", name)).toThrow(refused);
  });

  test("refuses a text without the gap, and one with another gap, which it names", () => {
    expect(() => fillOperator("I am AI.", "Haus")).toThrow(refused);
    expect(() => fillOperator("{operator} {a} {b}", "Haus")).toThrow(refused);
    expect(() => fillOperator("{operator} {a} {b}", "Haus")).toThrow(/^\{a\}, \{b\} is never filled/);
  });
});

describe("fitsGaps", () => {
  test.each([
    ["for Haus.", "for {operator}."],
    ["Haus speaks", "{operator} speaks"],
    ["for Haus", "for {operator}"],
    ["a x b y c", "a {one} b {two} c"],
    ["a b b b c", "a {one} b {two} c"],
    ["x", "{operator}"],
  ])("%j fits %j", (text, template) => {
    expect(fitsGaps(text, template)).toBe(true);
  });

  test.each([
    ["for .", "for {operator}."],
    ["to Haus.", "for {operator}."],
    ["for Haus!", "for {operator}."],
    ["a b y c", "a {one}b {two} c"],
    ["a x b  c", "a {one} b {two} c"],
    ["a x d y c", "a {one} b {two} c"],
    ["aba", "ab{one}ba"],
    ["", "{operator}"],
    ["no gap", "no gap"],
  ])("%j does not fit %j: a gap has one character at least, and the rest is as it is", (text, template) => {
    expect(fitsGaps(text, template)).toBe(false);
  });
});
