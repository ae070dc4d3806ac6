// What of a stranger's text reaches a terminal, a log or a page.
import { describe, expect, test } from "vitest";
import { printable, printableJson } from "../../../evidence/core/printable.ts";

describe("printable text", () => {
  test.each([
    ["plain äöü “” – 😀", "plain äöü “” – 😀"],
    ["a\nb", "a\\u{a}b"],
    ["\u202eevil", "\\u{202e}evil"],
    ["\ud800", "\\u{d800}"],
    ["\u{e0041}", "\\u{e0041}"],
  ])("of %j is %j", (text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  test("as JSON escapes beyond what JSON asks for, and means the same", () => {
    const value = { "\u009b": ["\u202e", "\u{e0041}", "line\nline", "😀"] };
    const text = printableJson(value);
    expect(text).not.toMatch(/[\u007f-\u009f\u202e]/);
    expect(JSON.parse(text)).toEqual(value);
  });
});
