import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatHex } from "../../../evidence/core/bytes.ts";
import { canonicalBytes, canonicalize, parseJson } from "../../../evidence/core/canonical-json.ts";
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import { jsonValue } from "../../support/json-value.ts";
import { jcs } from "../../support/plain-json.ts";
import numbers from "../../vectors/rfc8785/numbers.json" with { type: "json" };
import sortingOrder from "../../vectors/rfc8785/sorting-order.json" with { type: "json" };

const vector = (name: string) =>
  readFileSync(join(import.meta.dirname, "../../vectors/rfc8785", name), "utf8");
const malformed = expect.toSatisfy((error) => isDisclosureError(error, "malformed"));

test("the canonical form of the RFC's sample is the RFC's bytes", () => {
  const bytes = canonicalBytes(JSON.parse(vector("sample-input.json")));
  expect(formatHex(bytes)).toBe(vector("sample-output.hex").replaceAll(/\s/g, ""));
});

test("members are sorted by UTF-16 units, as in the RFC's example", () => {
  const text = canonicalize(parseJson(vector("sorting-input.json")));
  expect([...text.matchAll(/:"([^"]*)"/g)].map(([, value]) => value)).toEqual(sortingOrder);
});

test.each(numbers)(
  "the canonical form of the double %s is %s, as in the RFC's appendix B",
  (bits, expected) => {
    const double = Buffer.from(bits ?? "", "hex").readDoubleBE();
    if (expected === null) expect(() => canonicalize(double)).toThrow(malformed);
    else expect(canonicalize(double)).toBe(expected);
  },
);

test("the canonical form is the same whatever order the members came in, and the same when read and written again", () => {
  fc.assert(
    fc.property(jsonValue, (value) => {
      const text = canonicalize(value);
      expect(text).toBe(jcs(value));
      expect(canonicalize(parseJson(text))).toBe(text);
      expect(canonicalize(reversed(value))).toBe(text);
    }),
  );
});

test.each([
  ["undefined", undefined],
  ["NaN", { n: Number.NaN }],
  ["infinity", [Number.NEGATIVE_INFINITY]],
  ["a big integer", { n: 1n }],
  ["a function", () => 1],
  ["a lone surrogate", { text: "\ud800" }],
  ["a lone surrogate in a name", { "\udc00": 1 }],
])("there is no canonical form of %s", (_, value) => {
  expect(() => canonicalize(value)).toThrow(malformed);
});

test("a value without a canonical form is refused with the reason", () => {
  expect(() => canonicalize({ n: Number.NaN })).toThrow(
    expect.objectContaining({ code: "malformed", cause: expect.any(Error) }),
  );
});

test("there is no canonical form of a value that holds itself", () => {
  const self: { me?: unknown } = {};
  self.me = self;
  expect(() => canonicalize(self)).toThrow(malformed);
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}
