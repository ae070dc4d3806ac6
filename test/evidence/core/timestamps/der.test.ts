import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseHex } from "../../../../evidence/core/bytes.ts";
import { parseDer } from "../../../../evidence/core/timestamps/x509/der.ts";
import {
  onlyChild,
  readBitString,
  readNatural,
  readObjectIdentifier,
  readSmallInteger,
} from "../../../../evidence/core/timestamps/x509/der-fields.ts";

const parse = (hex: string) => parseDer(parseHex(hex.replaceAll(" ", "")));

const beyond = expect.objectContaining({
  code: "token_open",
  evidence: expect.objectContaining({ reason: "beyond_verifier" }),
});

describe("parseDer", () => {
  test("gives each value its own bytes and contents", () => {
    const value = parse("30 06 02 01 05 04 01 ff");
    expect(value.children.map(({ tag, content }) => [tag, ...content])).toEqual([
      [0x02, 5],
      [0x04, 0xff],
    ]);
    expect(value.children[1]?.bytes).toEqual(parseHex("0401ff"));
  });

  test.for([
    ["an empty input", ""],
    ["a cut value", "30 03 02 01"],
    ["trailing bytes", "02 01 05 00"],
    ["a SEQUENCE that is primitive", "10 03 02 01 05"],
    ["an indefinite length, as long as a length of 128", `04 80 ${"00".repeat(128)}`],
    ["a BOOLEAN of two octets", "01 02 ff 00"],
    ["a NULL that is not empty", "05 01 00"],
    ["a BIT STRING without a count of unused bits", "03 00"],
    ["an empty BIT STRING with an unused bit", "03 01 01"],
    ["a BIT STRING with eight unused bits", "03 02 08 00"],
    ["an OBJECT IDENTIFIER that ends with a zero digit of an arc", "06 03 2a 81 80"],
    ["an empty INTEGER", "02 00"],
    ["a padded OBJECT IDENTIFIER", "06 03 2a 80 01"],
    ["an unfinished OBJECT IDENTIFIER", "06 02 2a 81"],
  ] as const)("refuses %s", ([, hex]) => {
    expect(() => parse(hex)).toThrow(expect.objectContaining({ code: "malformed" }));
  });

  test.for([
    ["a long form for a short length", "04 81 01 ff"],
    ["a length with a leading zero", `04 82 00 80 ${"00".repeat(128)}`],
    ["an indefinite length", "30 80 02 01 05 00 00"],
    ["a string in pieces", "24 05 04 03 01 02 03"],
    ["a tag in the long form", "1f 02 01 00"],
    ["a BOOLEAN of 01", "01 01 01"],
    ["a negative INTEGER that is padded by one bit", "02 02 ff 80"],
    ["a BIT STRING with an unused bit that is set", "03 02 04 08"],
    ["a padded positive INTEGER", "02 02 00 05"],
    ["a padded negative INTEGER", "02 02 ff 85"],
    ["a SET out of order", "31 06 02 01 06 02 01 05"],
  ] as const)("can't judge %s, which is BER and not DER", ([, hex]) => {
    expect(() => parse(hex)).toThrow(beyond);
  });

  test.for([
    ["a negative INTEGER of two octets that needs both", "02 02 ff 7f"],
    ["a BIT STRING of no bits", "03 01 00"],
    ["a BIT STRING with seven unused bits", "03 02 07 80"],
    ["a BIT STRING whose unused bits are those of its last octet", "03 04 04 0f 0f f0"],
    ["an OBJECT IDENTIFIER with zero digits within an arc", "06 05 2a 81 80 80 01"],
    ["a NULL", "05 00"],
  ] as const)("reads %s, which has no values inside", ([, hex]) => {
    expect(parse(hex).children).toEqual([]);
  });

  test("reads a length of four octets, and no more than 32 values inside each other", () => {
    const long = new Uint8Array(6 + 2 ** 24);
    long.set([0x04, 0x84, 1, 0, 0, 0]);
    expect(parseDer(long).content).toHaveLength(2 ** 24);
    const nested = (depth: number) =>
      Array.from({ length: depth }).reduce<Uint8Array>(
        (inner) => Uint8Array.of(0x30, inner.length, ...inner),
        Uint8Array.of(0x05, 0),
      );
    expect(() => parseDer(nested(32))).not.toThrow();
    expect(() => parseDer(nested(33))).toThrow(beyond);
  });

  test("throws nothing but `malformed` and `token_open`, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        try {
          expect(parseDer(bytes).bytes).toEqual(bytes);
        } catch (error) {
          expect(error).toMatchObject({ code: expect.stringMatching(/^(?:malformed|token_open)$/) });
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe("readObjectIdentifier", () => {
  test.for([
    ["1.2.840.113549.1.9.16.1.4", "06 0b 2a 86 48 86 f7 0d 01 09 10 01 04"],
    ["2.999.3", "06 03 88 37 03"],
    ["2.0", "06 01 50"],
    ["1.2.16384", "06 04 2a 81 80 00"],
    ["0.4.0", "06 02 04 00"],
    ["2.25.340282366920938463463374607431768211455", `06 14 69 83 ${"ff".repeat(17)} 7f`],
  ] as const)("reads %s", ([dotted, hex]) => {
    expect(readObjectIdentifier(parse(hex))).toBe(dotted);
  });
});

describe("what no token has", () => {
  const ofLength = (tag: number, length: number, byte: number) =>
    Uint8Array.of(tag, 0x82, length >> 8, length & 0xff, ...new Uint8Array(length).fill(byte));

  test("is not judged: an OBJECT IDENTIFIER of more than 64 octets", () => {
    expect(() => parseDer(Uint8Array.of(0x06, 64, ...new Uint8Array(64).fill(1)))).not.toThrow();
    expect(() => parseDer(Uint8Array.of(0x06, 65, ...new Uint8Array(65).fill(1)))).toThrow(beyond);
  });

  test("is not judged: more than 8,192 values", () => {
    const empties = (count: number) =>
      ofLength(0x30, 2 * count, 0).map((byte, i) => (i >= 4 && i % 2 === 0 ? 5 : byte));
    expect(parseDer(empties(8_191)).children).toHaveLength(8_191);
    expect(() => parseDer(empties(8_192))).toThrow(beyond);
  });
});

describe("readSmallInteger", () => {
  test("reads what fits 31 bits and refuses the rest", () => {
    expect(readSmallInteger(parse("02 04 7f ff ff ff"))).toBe(2 ** 31 - 1);
    for (const negative of ["02 01 ff", "02 01 80", "02 04 80 00 00 00"])
      expect(() => readSmallInteger(parse(negative))).toThrow(expect.objectContaining({ code: "malformed" }));
    expect(() => readSmallInteger(parse("02 05 00 80 00 00 00"))).toThrow(
      expect.objectContaining({ code: "malformed" }),
    );
  });
});

describe("readNatural", () => {
  test("gives the digits without their sign octet, and refuses negative numbers", () => {
    expect(readNatural(parse("02 02 00 80"))).toEqual(Uint8Array.of(0x80));
    expect(readNatural(parse("02 01 7f"))).toEqual(Uint8Array.of(0x7f));
    expect(readNatural(parse("02 01 00"))).toEqual(new Uint8Array());
    expect(() => readNatural(parse("02 01 80"))).toThrow(expect.objectContaining({ code: "malformed" }));
  });
});

describe("onlyChild", () => {
  test("refuses none, and two", () => {
    expect(onlyChild(parse("a0 02 05 00")).tag).toBe(0x05);
    for (const other of ["a0 00", "a0 04 05 00 05 00"])
      expect(() => onlyChild(parse(other))).toThrow(expect.objectContaining({ code: "malformed" }));
  });
});

describe("readBitString", () => {
  test("gives whole octets, and refuses a last one that is not used whole", () => {
    expect(readBitString(parse("03 02 00 f0"))).toEqual(Uint8Array.of(0xf0));
    expect(() => readBitString(parse("03 02 04 f0"))).toThrow(expect.objectContaining({ code: "malformed" }));
  });
});
