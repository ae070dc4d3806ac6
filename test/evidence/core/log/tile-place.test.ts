import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseTilePlace } from "../../../../evidence/core/log/tile-place.ts";
import { formatTilePlace } from "../../../../evidence/core/log/tiles.ts";

describe("the place of a tile in a path", () => {
  test.each([
    ["000", { index: 0, width: 256 }],
    ["067.p/12", { index: 67, width: 12 }],
    ["x001/067", { index: 1067, width: 256 }],
    ["x123/x456/789.p/255", { index: 123_456_789, width: 255 }],
  ])("%s is read", (text, place) => {
    expect(parseTilePlace(text)).toEqual(place);
    expect(formatTilePlace(place)).toBe(text);
  });

  test.each([
    "",
    "0",
    "x000/067",
    "1067",
    "001/067",
    "x001",
    "067.p/0",
    "067.p/256",
    "067.p/257",
    "x001/067.p/999",
    "067.p/012",
    "067.p",
    "067/",
    "%30%30%30",
    "x001/067.p/12/",
  ])("%o is none: a place has one spelling", (text) => {
    expect(parseTilePlace(text)).toBeNull();
  });

  test("any place is read back", () => {
    const place = fc.record({ index: fc.nat(2 ** 40), width: fc.integer({ min: 1, max: 256 }) });
    const check = (it: { index: number; width: number }) => {
      expect(parseTilePlace(formatTilePlace(it))).toEqual(it);
    };
    fc.assert(fc.property(place, check));
  });
});
