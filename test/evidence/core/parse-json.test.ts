import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalize, MAX_JSON_DEPTH, parseJson } from "../../../evidence/core/canonical-json.ts";
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import { jsonValue } from "../../support/json-value.ts";

const notJson = expect.toSatisfy((error) => isDisclosureError(error, "not_json"));
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

test("reads what JSON.parse reads, from text and from UTF-8, with and without spaces", () => {
  fc.assert(
    fc.property(jsonValue, fc.constantFrom("", " ", "\t\n"), (value, space) => {
      const text = JSON.stringify(value, null, space);
      expect(parseJson(text)).toEqual(JSON.parse(text));
      expect(parseJson(new TextEncoder().encode(text))).toEqual(JSON.parse(text));
    }),
  );
});

test("reads nothing that JSON.parse does not", () => {
  const anything = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'{}[]:,"\\ \n0123.eE+-truefalsnu') }),
    fc.string(),
  );
  fc.assert(
    fc.property(anything, (text) => {
      const [ours, theirs] = [attempt(() => parseJson(text)), attempt(() => JSON.parse(text))];
      if (theirs === undefined) expect(ours).toBeUndefined();
      else if (ours !== undefined) expect(ours).toEqual(theirs);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ["side by side", '{"a":1,"a":1}'],
  ["apart", '{"a":1,"b":2,"a":3}'],
  ["spelled with an escape", String.raw`{"a":1,"\u0061":2}`],
  ["both spelled with escapes", String.raw`{"\u002f":1,"\/":2}`],
  ["nested in an object", '{"x":{"a":1,"a":2}}'],
  ["nested in an array", '[[{"a":1,"a":2}]]'],
  ["around an object with the same name", '{"a":{"a":1},"a":2}'],
  ["around an array of objects", '{"a":[{"b":1}],"a":2}'],
  ["both empty", '{"":1,"":2}'],
  ["of Object's own properties", '{"__proto__":1,"__proto__":2}'],
  ["constructor", '{"constructor":1,"constructor":2}'],
  ["with a colon and braces inside", '{"}:{":1,"}:{":2}'],
  ["with an escaped quote inside", String.raw`{"\"":1,"\u0022":2}`],
  ["that end with a backslash", String.raw`{"\\":1,"\\":2}`],
  ["with a space before the colon", '{"a" :1,"a"\n:2}'],
])("refuses two members of one name: %s", (_, text) => {
  JSON.parse(text);
  expect(() => parseJson(text)).toThrow("two members of one name");
  expect(() => parseJson(text)).toThrow(notJson);
});

test.each([
  ["in two objects of an array", '[{"a":1},{"a":1}]'],
  ["in an object and its member", '{"a":{"a":{"a":1}}}'],
  ["as name and value", '{"a":"a","b":["a","b"]}'],
  ["in other letters", '{"a":1,"A":2,"á":3,"a\u0301":4}'],
  ["of Object's own properties", '{"__proto__":1,"constructor":2,"toString":3}'],
])("accepts one name %s", (_, text) => {
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

test("keeps a member named __proto__ as a member", () => {
  expect(Object.keys(Object(parseJson('{"__proto__":{"a":1}}')))).toEqual(["__proto__"]);
  expect(canonicalize(parseJson('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
});

test.each([
  "9007199254740992",
  "-9007199254740992",
  "9007199254740993",
  "1e400",
  "-1e400",
  "1e16",
  "9".repeat(400),
])("refuses the number %s", (text) => {
  for (const place of [text, `[${text}]`, `{"n":${text}}`, `[0, ${text} ]`]) {
    expect(() => parseJson(place)).toThrow(notJson);
  }
});

test.each([
  "9007199254740991",
  "-9007199254740991",
  "0",
  "-0",
  "1.5",
  "1E3",
  "2e-3",
  "0.1",
  "-0.9876543210987654321",
  "5e-324",
])("accepts the number %s", (text) => {
  for (const space of ["", " ", "\n\t\r "]) {
    expect(parseJson(`[${text}${space}]`)).toEqual([Number(text)]);
    expect(parseJson(`{"n":${space}${text}${space},"m":0}`)).toEqual({ n: Number(text), m: 0 });
  }
});

test("does not mistake digits in a string for a number", () => {
  expect(parseJson('["9007199254740993", "\\"1e400"]')).toEqual(["9007199254740993", '"1e400']);
});

test.each([
  ["a backslash", String.raw`["\\","b"]`],
  ["two backslashes", String.raw`{"a\\\\":1,"b":2}`],
  ["a quote", String.raw`{"a\"":1,"b":2}`],
  ["a backslash and a quote", String.raw`{"a\\\"":1,"b":"\""}`],
])("reads a string that ends with %s", (_, text) => {
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

test.each([
  ["high", String.raw`"\ud800"`],
  ["low", String.raw`"\udc00"`],
  ["in the wrong order", String.raw`"\udc00\ud800"`],
  ["before a letter", String.raw`["\ud83dx"]`],
  ["in a name", String.raw`{"\ud800":1}`],
  ["unescaped", '"\ud800"'],
])("refuses a lone surrogate: %s", (_, text) => {
  expect(() => parseJson(text)).toThrow(notJson);
});

test("accepts a pair of surrogates", () => {
  expect(parseJson(String.raw`"\ud83d\ude00"`)).toBe("😀");
});

test(`accepts a nesting of ${MAX_JSON_DEPTH} and no deeper`, () => {
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  expect(parseJson(nested(MAX_JSON_DEPTH))).toEqual(JSON.parse(nested(MAX_JSON_DEPTH)));
  expect(() => parseJson(nested(MAX_JSON_DEPTH + 1))).toThrow("too deep");
  expect(parseJson(objects(MAX_JSON_DEPTH))).toEqual(JSON.parse(objects(MAX_JSON_DEPTH)));
  expect(() => parseJson(objects(MAX_JSON_DEPTH + 1))).toThrow("too deep");
  expect(parseJson(`[${"[],".repeat(100)}[]]`)).toHaveLength(101);
  expect(() => parseJson(nested(100_000))).toThrow(notJson);
});

test.each([
  ["nothing", ""],
  ["spaces", " "],
  ["a second value", "1 2"],
  ["a brace too many", "{}}"],
  ["letters after the end", "{} x"],
  ["a zero byte after the end", "{}\0"],
  ["a zero byte after each character, as in UTF-16", "{\0}\0"],
  ["a comma at the end", '{"a":1,}'],
  ["single quotes", "{'a':1}"],
  ["a comment", "{} // x"],
  ["NaN", "NaN"],
  ["a leading zero", "01"],
  ["a leading plus", "+1"],
  ["a string with a line end", '"a\nb"'],
  ["a string that does not end", '"a'],
  ["a byte order mark", "\ufeff{}"],
  ["a no-break space", "\u00a0{}"],
])("refuses %s", (_, text) => {
  expect(() => parseJson(text)).toThrow(notJson);
  expect(() => parseJson(new TextEncoder().encode(text))).toThrow(notJson);
});

test.each([
  ["a stray continuation byte", [0x22, 0x80, 0x22]],
  ["a cut sequence", [0x22, 0xe2, 0x82, 0x22]],
  ["an overlong slash", [0x22, 0xc0, 0xaf, 0x22]],
  ["a surrogate", [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ["a code point beyond Unicode", [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
  ["UTF-16", [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
])("refuses bytes that are not UTF-8: %s", (_, bytes) => {
  expect(() => parseJson(Uint8Array.from(bytes))).toThrow(
    expect.objectContaining({ code: "not_json", message: "this is not UTF-8" }),
  );
});

test("reads a string of 30 MB, one of a million escapes, and refuses as many digits, on an ordinary stack", () => {
  const letters = "a".repeat(30 * 2 ** 20);
  expect(parseJson(`{"text":"${letters}"}`)).toEqual({ text: letters });
  expect(parseJson(`"${"\\n".repeat(1_000_000)}"`)).toBe("\n".repeat(1_000_000));
  expect(() => parseJson("1".repeat(2 ** 24))).toThrow(notJson);
});

function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}
