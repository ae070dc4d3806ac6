import fc from "fast-check";
import { expect, test } from "vitest";
import {
  concatBytes,
  equalBytes,
  formatBase64,
  formatHex,
  parseBase64,
  parseHex,
  utf8,
} from "../../../evidence/core/bytes.ts";
import { isDisclosureError } from "../../../evidence/core/errors.ts";

const bytes = fc.uint8Array({ maxLength: 100 });
const malformed = expect.toSatisfy((error) => isDisclosureError(error, "malformed"));

test("hex and base64 are what Node writes, and come back as the same bytes", () => {
  fc.assert(
    fc.property(bytes, (some) => {
      expect(formatHex(some)).toBe(Buffer.from(some).toString("hex"));
      expect(formatBase64(some)).toBe(Buffer.from(some).toString("base64"));
      expect(parseHex(formatHex(some))).toEqual(some);
      expect(parseBase64(formatBase64(some))).toEqual(some);
    }),
  );
});

// RFC 4648 section 10.
test.each([
  ["", ""],
  ["f", "Zg=="],
  ["fo", "Zm8="],
  ["foo", "Zm9v"],
  ["foob", "Zm9vYg=="],
  ["fooba", "Zm9vYmE="],
  ["foobar", "Zm9vYmFy"],
])("the RFC's base64 of %j is %j", (text, base64) => {
  expect(formatBase64(utf8(text))).toBe(base64);
  expect(parseBase64(base64)).toEqual(utf8(text));
});

test.each([
  ["an odd length", "abc"],
  ["upper case", "AB"],
  ["mixed case", "aB"],
  ["a prefix", "0xab"],
  ["a letter beyond f", "ag"],
  ["a space", "ab cd"],
  ["a line end", "ab\n"],
  ["digits of another script", "٠٠"],
])("hex with %s is refused", (_, text) => {
  expect(() => parseHex(text)).toThrow(malformed);
});

test("of all characters, sixteen are hex digits, on either side of a byte", () => {
  const characters = Array.from({ length: 2 ** 16 }, (_, code) => String.fromCharCode(code));
  const isRead = (text: string): boolean => readOrNull(parseHex, text) !== null;
  expect(characters.filter((digit) => isRead(`${digit}0`)).join("")).toBe("0123456789abcdef");
  expect(characters.filter((digit) => isRead(`0${digit}`)).join("")).toBe("0123456789abcdef");
});

test.each([
  ["no padding", "Zg"],
  ["one padding character too few", "Zg="],
  ["one padding character too many", "Zm8=="],
  ["nothing but padding", "===="],
  ["padding for a whole group", "Zm9v===="],
  ["padding in the middle", "Zg==Zg=="],
  ["bits after the last byte of two characters", "Zh=="],
  ["bits after the last byte of three characters", "Zm9="],
  ["the URL alphabet", "-_-_"],
  ["a line end inside", "Zm9v\nZm9v"],
  ["a line end at the end", "Zm9v\n"],
  ["a space", "Zm9 "],
  ["a letter beyond ASCII", "Zm9ö"],
])("base64 with %s is refused", (_, text) => {
  expect(() => parseBase64(text)).toThrow(malformed);
});

test("one byte string has one accepted spelling: another text is refused or says other bytes", () => {
  fc.assert(
    fc.property(bytes, fc.nat(), fc.constantFrom(..."AQgw/+=_\n 09afF"), (some, place, letter) => {
      for (const [format, parse] of [[formatHex, parseHex] as const, [formatBase64, parseBase64] as const]) {
        const text = format(some);
        const at = place % (text.length + 1);
        const other = text.slice(0, at) + letter + text.slice(at + 1);
        if (other !== text) expect(readOrNull(parse, other)).not.toEqual(some);
      }
    }),
  );
});

function readOrNull(parse: (text: string) => Uint8Array, text: string): Uint8Array | null {
  try {
    return parse(text);
  } catch (error) {
    if (isDisclosureError(error, "malformed")) return null;
    throw error;
  }
}

test("texts of megabytes are read or refused without running out of stack", () => {
  const size = 12 * 2 ** 20;
  expect(parseHex("ab".repeat(size / 2))).toHaveLength(size / 2);
  expect(() => parseHex(`${"ab".repeat(size / 2)}g`)).toThrow(malformed);
  expect(() => parseBase64(`${"abcd".repeat(size / 4)}abc!`)).toThrow(malformed);
  expect(() => parseBase64(`${"abcd".repeat(size / 4)}Zh==`)).toThrow("stray trailing bits");
});

test("bytes are equal when every byte is, and only then", () => {
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      expect(equalBytes(a, a.slice())).toBe(true);
      expect(equalBytes(a, b)).toBe(Buffer.compare(a, b) === 0);
    }),
  );
  expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 2, 0))).toBe(false);
  expect(equalBytes(Uint8Array.of(1, 2, 0), Uint8Array.of(1, 2))).toBe(false);
});

test("parts are joined in their order, and text becomes UTF-8", () => {
  expect(concatBytes(Uint8Array.of(1), new Uint8Array(), Uint8Array.of(2, 3))).toEqual(
    Uint8Array.of(1, 2, 3),
  );
  expect(utf8("€")).toEqual(Uint8Array.of(0xe2, 0x82, 0xac));
});
