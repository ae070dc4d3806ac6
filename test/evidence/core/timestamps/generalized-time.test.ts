import { describe, expect, test } from "vitest";
import { utf8 } from "../../../../evidence/core/bytes.ts";
import { parseDer, Tag } from "../../../../evidence/core/timestamps/x509/der.ts";
import { readGeneralizedTime, readTime } from "../../../../evidence/core/timestamps/x509/generalized-time.ts";

const time = (tag: number, text: string) => parseDer(Uint8Array.of(tag, text.length, ...utf8(text)));
const malformed = expect.objectContaining({ code: "malformed" });

describe("a certificate's time", () => {
  test.for([
    ["491231235959Z", "2049-12-31T23:59:59Z"],
    ["500101000000Z", "1950-01-01T00:00:00Z"],
    ["000229000000Z", "2000-02-29T00:00:00Z"],
  ] as const)("is, as the UTCTime %s, %s", ([text, expected]) => {
    expect(readTime(time(Tag.utcTime, text))).toBe(expected);
  });

  test("may be a GeneralizedTime, and nothing else", () => {
    expect(readTime(time(Tag.generalizedTime, "99991231235959Z"))).toBe("9999-12-31T23:59:59Z");
    expect(() => readTime(time(Tag.octetString, "20260101000000Z"))).toThrow(malformed);
  });
});

describe("genTime", () => {
  test("keeps the fraction that it has", () => {
    const fine = time(Tag.generalizedTime, "20261001120000.123456789Z");
    expect(readGeneralizedTime(fine)).toBe("2026-10-01T12:00:00.123456789Z");
  });

  test.for([
    ["without seconds", "202610011200Z"],
    ["in local time", "20261001120000"],
    ["with a comma", "20261001120000,5Z"],
    ["with a point and no fraction", "20261001120000.Z"],
    ["with a z", "20261001120000z"],
    ["with a digit before it", "120261001120000Z"],
    ["with something behind it", "20261001120000Z0"],
    ["of hour 24", "20261001240000Z"],
    ["of a leap second", "20261231235960Z"],
    ["of month 13", "20261301000000Z"],
    ["of 29 February in a year without one", "20270229000000Z"],
  ] as const)("is refused %s", ([, text]) => {
    expect(() => readGeneralizedTime(time(Tag.generalizedTime, text))).toThrow(malformed);
  });
});
