// Deterministic CBOR: the examples of RFC 8949 that this profile holds, and the refusal of every other form.
import { describe, expect, test } from "vitest";
import { formatHex, parseHex } from "../../../../evidence/core/bytes.ts";
import { CborTag, type CborValue, formatCbor, parseCbor } from "../../../../evidence/core/log/cbor.ts";

/** RFC 8949 appendix A, as far as the profile goes, and the edges of each length. */
const EXAMPLES: readonly (readonly [string, CborValue])[] = [
  ["00", 0],
  ["17", 23],
  ["1818", 24],
  ["18ff", 255],
  ["190100", 256],
  ["1903e8", 1000],
  ["1a00010000", 65_536],
  ["1a000f4240", 1_000_000],
  ["1affffffff", 2 ** 32 - 1],
  ["1b0000000100000000", 2 ** 32],
  ["1b000000e8d4a51000", 1_000_000_000_000],
  ["1b001fffffffffffff", Number.MAX_SAFE_INTEGER],
  ["20", -1],
  ["29", -10],
  ["3863", -100],
  ["3903e7", -1000],
  ["f6", null],
  ["40", new Uint8Array()],
  ["4401020304", Uint8Array.of(1, 2, 3, 4)],
  ["60", ""],
  ["6449455446", "IETF"],
  ["62c3bc", "\u00fc"],
  ["64f0908591", "\u{10151}"],
  ["63efbbbf", "\ufeff"],
  ["80", []],
  ["818181818181818100", [[[[[[[[0]]]]]]]]],
  ["8301820203820405", [1, [2, 3], [4, 5]]],
  ["a0", new Map()],
  [
    "a201020304",
    new Map([
      [1, 2],
      [3, 4],
    ]),
  ],
  ["c1f6", new CborTag(1, null)],
  ["d28440a0f640", new CborTag(18, [new Uint8Array(), new Map(), null, new Uint8Array()])],
];

const REFUSED: readonly (readonly [string, string])[] = [
  ["", "ends too early"],
  ["1817", "deterministic"],
  ["190017", "deterministic"],
  ["1b00000000ffffffff", "deterministic"],
  ["5801aa", "deterministic"],
  ["a203040102", "deterministic"],
  ["a201020102", "deterministic"],
  ["a2200100f6", "deterministic"],
  ["00ff", "deterministic"],
  ["1b0020000000000000", "safe integers"],
  ["1bffffffffffffffff", "safe integers"],
  ["3b001fffffffffffff", "safe integers"],
  ["db002000000000000000", "safe integers"],
  ["18", "ends too early"],
  ["42aa", "ends too early"],
  ["5b001fffffffffffff", "ends too early"],
  ["9a7fffffff00", "ends too early"],
  ["9b001fffffffffffff", "ends too early"],
  ["bb001fffffffffffff", "ends too early"],
  ["8201", "ends too early"],
  ["a1f6f6", "no integer"],
  ["a1616101", "no integer"],
  ["5f42010243030405ff", "indefinite"],
  ["9fff", "indefinite"],
  ["1c", "indefinite"],
  ["f4", "does not know"],
  ["f7", "does not know"],
  ["f90000", "does not know"],
  ["61ff", "not UTF-8"],
  ["63eda080", "not UTF-8"],
  [`${"81".repeat(9)}00`, "too deep"],
  [`${"c1".repeat(100_000)}00`, "too deep"],
  [`${"a100".repeat(100_000)}00`, "too deep"],
  ["a1".repeat(100_000), "too deep"],
];

describe("deterministic CBOR", () => {
  test.each(EXAMPLES)("%s is written and read", (hex, value) => {
    expect(formatHex(formatCbor(value))).toBe(hex);
    expect(parseCbor(parseHex(hex))).toEqual(value);
  });

  test("a map's keys stand in the order of their bytes", () => {
    const map = new Map([
      [-1, 0],
      [395, 1],
      [4, 2],
      [25, 4],
      [24, 3],
    ]);
    expect(formatHex(formatCbor(map))).toBe("a5040218180318190419018b012000");
  });

  test.each(REFUSED)("%.20s is refused", (hex, message) => {
    const malformed = { code: "malformed", message: expect.stringContaining(message) };
    expect(() => parseCbor(parseHex(hex))).toThrow(expect.objectContaining(malformed));
  });

  test.each([0.5, Number.NaN, 2 ** 53, -(2 ** 53) - 2])("%d is not written", (value) => {
    expect(() => formatCbor(value)).toThrow("safe integers");
  });
});
